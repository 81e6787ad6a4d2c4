import { fileStem } from '../../shared/kernel/file-name.ts';
import { normalForm } from '../../shared/kernel/normal-form.ts';

/** What tells the kind of a file, at the end of its name. */
const EXTENSION = /\.[A-Za-z0-9]{1,10}$/;

/**
 * Names for the members of a zip: each in the zip's own folder, whatever it is made of, and no two the same, also where
 * letters of both cases are one. The second of the same is `name (2).pdf`. Linear in the number of names.
 */
export function memberNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  const next = new Map<string, number>();
  return names.map((name) => {
    const extension = EXTENSION.exec(name)?.[0] ?? '';
    const stem = fileStem(name.slice(0, name.length - extension.length)) || 'file';
    const numbered = (number: number) => `${stem}${number > 1 ? ` (${number})` : ''}${extension}`;
    const base = folded(numbered(1));
    let number = next.get(base) ?? 1;
    while (taken.has(folded(numbered(number)))) number += 1;
    next.set(base, number + 1);
    taken.add(folded(numbered(number)));
    return numbered(number);
  });
}

const folded = (name: string) => normalForm(name, 'NFC').toLowerCase();
