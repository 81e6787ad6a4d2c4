import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { openApiFile } from './openapi.ts';
import { TRANSITIONS_GUIDE, transitionsGuide } from './pages/docs/transitions.ts';

/** npm run openapi: writes docs/openapi.json and the table of transitions in its guide anew. */
const written: Record<string, string> = {
  [resolve(import.meta.dirname, '../docs/openapi.json')]: openApiFile(),
  [TRANSITIONS_GUIDE]: transitionsGuide(),
};
for (const [path, text] of Object.entries(written)) {
  writeFileSync(path, text);
  process.stdout.write(`${path} is written\n`);
}
