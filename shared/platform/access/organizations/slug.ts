import { slugLetters } from '../../../kernel/slug-letters.ts';

/** What stands for an organization in public paths. */
export const SLUG = /^[a-z0-9][a-z0-9-]{1,62}$/;

/** Words of two letters and `preview` follow the first step of public paths (`/p/...`, `/f/preview/...`). */
const RESERVED = new Set(['pr', 'me', 'v1', 'preview']);

/** Whether a slug would be taken for a word of a path. */
export function isReservedSlug(slug: string): boolean {
  return RESERVED.has(slug);
}

/**
 * A slug for a name: its Latin letters and digits with hyphens between. A name without any (山田商事) gets one from
 * the organization's ID, and so does one that is taken or reserved (`salt` true).
 */
export function slugOf(name: string, organization_id: string, salt: boolean): string {
  const unique = organization_id.slice(-8);
  const letters = slugLetters(name, 50);
  if (letters.length < 2) return `org-${unique}`;
  return salt || isReservedSlug(letters) ? `${letters}-${unique}` : letters;
}
