import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { FONT_FAMILIES } from './families.ts';

const css = readFileSync(resolve(import.meta.dirname, 'printed.css'), 'utf8');

/** What the style of every printed page begins with; its own sheet follows. */
export const printed = `body { font-family: ${FONT_FAMILIES} }\n${css}`;
