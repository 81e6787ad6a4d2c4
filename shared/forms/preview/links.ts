import { randomBytes } from 'node:crypto';
import type { Work } from '../../kernel/work.ts';
import { newLink } from '../../platform/links/links.ts';
import type { LinkPurpose } from '../../platform/links/purpose.ts';
import { tokenFrom } from '../../platform/links/token.ts';
import { storedForm } from '../forms/queries.ts';

/** How long a preview can be opened, in milliseconds: a day. */
const LIFETIME = 24 * 60 * 60_000;

/** The links that show the working copy of a form on its page, by the form's ID. */
export const previewLinks: LinkPurpose = {
  name: 'forms_preview',
  page: '/f/preview',
  token: 'random',
  lifetime: LIFETIME,
  max_uses: null,
  one_living: false,
  use_ends_others: false,
  refusals: { unknown: 'not_found', revoked: 'not_found', expired: 'not_found', used: 'not_found' },
};

/** Makes a link to the preview of a form, which is answered this once. Errors: `not_found`. */
export async function previewForm(
  work: Work,
  form_id: string,
  base_url: string,
): Promise<{ url: string; expires_at: string }> {
  await storedForm(work, form_id);
  const { connection, organization_id, now } = work;
  const making = { connection, now, base_url, newToken: () => tokenFrom(randomBytes(32)) };
  const url = await newLink(making, previewLinks, { organization_id, record_id: form_id });
  // The form stays as it is: a link to look at it is nothing that its history tells.
  work.nothingChanged();
  return { url, expires_at: new Date(now.getTime() + LIFETIME).toISOString() };
}
