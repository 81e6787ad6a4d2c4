import { uniqueKey } from '../../db/constraint.ts';
import type { Work } from '../../kernel/work.ts';
import { FormModel } from './record.ts';

/** 32 characters that are not mistaken for each other: a byte chooses one without preferring any. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

/** The slug of a form for which none was sent: 10 random characters. */
export function randomSlug(random: (count: number) => Uint8Array): string {
  return Array.from(random(10), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/**
 * Gives a locked form a slug, which leads to it from now on, whichever form had it before; the one that it had leads to it
 * still. To be said after the form's row is written: its unique index refuses what another form has now.
 */
export function takeSlug(work: Work, form_id: string, slug: string): void {
  work.run(
    'UPDATE forms_slugs SET is_present = false WHERE organization_id = $1 AND form_id = $2 AND is_present',
    [work.organization_id, form_id],
  );
  work.run(
    `INSERT INTO forms_slugs (organization_id, slug, form_id, is_present) VALUES ($1, $2, $3, true)
     ON CONFLICT (organization_id, slug) DO UPDATE SET form_id = excluded.form_id, is_present = true`,
    [work.organization_id, slug, form_id],
  );
}

uniqueKey('forms_forms_slug_once', {
  table: FormModel.tableName,
  read_by: 'forms:read',
  columns: ['slug'],
  path: '/slug',
  message: {
    en: 'Another form has this slug',
    ja: 'この slug はほかのフォームが使っています',
  },
});
