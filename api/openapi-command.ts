import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { openApiFile } from './openapi.ts';

/** npm run openapi: writes docs/openapi.json anew. */
const path = resolve(import.meta.dirname, '../docs/openapi.json');
writeFileSync(path, openApiFile());
process.stdout.write(`${path} is written\n`);
