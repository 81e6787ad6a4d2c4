import type { Reader } from '../../kernel/reader.ts';
import { slugLetters } from '../../kernel/slug-letters.ts';

/** 32 characters that are not mistaken for each other: a byte chooses one without preferring any. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

/** A slug for a title: its Latin letters and digits with hyphens between; null where it has no letter to be known by. */
export function slugOfTitle(title: string): string | null {
  const letters = slugLetters(title, 80);
  return /[a-z]/.test(letters) ? letters : null;
}

/** A slug of 8 random characters. */
export function randomSlug(random: (count: number) => Uint8Array): string {
  return Array.from(random(8), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** The slug of a new event type for which none was sent: that of its title, unless another one has it. */
export async function freeSlug(
  { connection, organization_id }: Reader,
  title: string,
  random: (count: number) => Uint8Array,
): Promise<string> {
  const slug = slugOfTitle(title);
  if (slug === null) return randomSlug(random);
  const taken = await connection.query(
    'SELECT FROM scheduler_event_types WHERE organization_id = $1 AND slug = $2 AND deleted_at IS NULL',
    [organization_id, slug],
  );
  return taken.length > 0 ? randomSlug(random) : slug;
}
