import { normalForm } from './normal-form.ts';

/**
 * The Latin letters and digits of a text in lower case with hyphens between, at most `longest` of them; empty where it has
 * none (山田商事).
 */
export function slugLetters(text: string, longest: number): string {
  return normalForm(text, 'NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, longest)
    .replace(/-+$/, '');
}
