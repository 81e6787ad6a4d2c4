import { nouns } from './nouns.ts';
import { parts } from './parts.ts';
import { patterns } from './patterns.ts';
import { sentences } from './sentences.ts';

type Pattern = { before: string; behind: string; japanese: string };

const shared: readonly Pattern[] = Object.entries(patterns).map(([english, japanese]) => {
  const [before = '', behind = ''] = english.split('_');
  return { before, behind, japanese };
});

/** A sentence of the reference in Japanese: its own, or that of the pattern that it follows; null where it has neither. */
export function japaneseOf(english: string): string | null {
  const own = sentences[english] ?? parts[english];
  if (own !== undefined) return own;
  for (const { before, behind, japanese } of shared) {
    if (!english.startsWith(before) || !english.endsWith(behind)) continue;
    const about = english.slice(before.length, english.length - behind.length);
    const noun = nouns.get(about) ?? nouns.get(`a ${about}`);
    if (noun !== undefined) return japanese.replace('_', noun);
  }
  return null;
}
