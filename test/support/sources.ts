import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

const IMPORTED = /^(?:import|export) (?!type\b)(?:[^';]*? from )?'(?<path>\.{1,2}\/[^']+\.ts)';/gm;
const DECLARED = /^export (?:async )?(?:const|let|class|abstract class|function\*?) (?<name>\w+)/gm;
const GATHERED = /^export \* as (?<name>\w+)/gm;
const LISTED = /^export (?:const )?\{(?<names>[^}]*)\}/gm;

/** A file of source: its text, and the paths in this repository of what it imports when it is loaded. */
type Source = { text: string; imports: string[] };

const read = new Map<string, Source>();

function sourceOf(path: string): Source {
  const known = read.get(path);
  if (known) return known;
  const file = join(root, path);
  // Texts within a test may look like imports of what is not there.
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const imports = [...text.matchAll(IMPORTED)].map(({ groups }) => join(dirname(path), groups!.path!));
  const source = { text, imports };
  read.set(path, source);
  return source;
}

/**
 * The texts of all files that are loaded with one, its own too, by their paths in this repository. In the order in which
 * they are come across.
 */
export function loadedWith(path: string): Map<string, string> {
  const texts = new Map<string, string>();
  const left = [path];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (texts.has(next)) continue;
    const { text, imports } = sourceOf(next);
    texts.set(next, text);
    left.push(...imports.toReversed());
  }
  return texts;
}

/** The names of the values that a file of source exports, as this repository writes them. */
export function exportedNames(text: string): string[] {
  const named = [DECLARED, GATHERED].flatMap((form) =>
    [...text.matchAll(form)].map(({ groups }) => groups!.name!),
  );
  const listed = [...text.matchAll(LISTED)].flatMap(({ groups }) => groups!.names!.split(','));
  const values = listed.map((each) => each.trim()).filter((each) => each !== '' && !/^type\b/.test(each));
  return [...named, ...values.map((each) => each.split(/ as |: /).at(-1)!)];
}
