import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { openApiFile } from './openapi.ts';
import { transitionsGuides } from './pages/docs/transitions.ts';

/** npm run openapi: writes docs/openapi.json and the tables of transitions in their guides anew. */
const written: Record<string, string> = {
  [resolve(import.meta.dirname, '../docs/openapi.json')]: openApiFile(),
  ...transitionsGuides(),
};
for (const [path, text] of Object.entries(written)) {
  writeFileSync(path, text);
  process.stdout.write(`${path} is written\n`);
}
