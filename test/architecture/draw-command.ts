import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './imports.ts';
import { picture } from './picture.ts';

/** npm run architecture: draws the floors in docs/architecture.md anew from the imports. */
const file = join(root, 'docs/architecture.md');
const text = readFileSync(file, 'utf8');
const drawn = text.replace(/```mermaid\n[\s\S]*?```/, picture);
if (!drawn.includes(picture())) throw new Error('docs/architecture.md has no place for the picture');
writeFileSync(file, drawn);
process.stdout.write(`${file} has the picture\n`);
