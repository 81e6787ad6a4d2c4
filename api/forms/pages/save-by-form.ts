import { partialLinks } from '../../../shared/forms/partials/link.ts';
import { changePartial, savePartial } from '../../../shared/forms/partials/save.ts';
import { Failure } from '../../../shared/kernel/failure.ts';
import type { Work } from '../../../shared/kernel/work.ts';
import { findLink } from '../../../shared/platform/links/links.ts';
import { pageOf } from '../../../shared/platform/links/purpose.ts';
import type { Form, Go, Visit } from '../../pages/kit/page.ts';
import type { Filled } from './fill.ts';
import type { Sent } from './sent.ts';

/** Bytes of the answers that are saved, as the API takes them. */
const SAVED_BYTES = 1024 * 1024;

/** What rides along in a form that was resumed: the token of its link, so that saving again keeps the link. */
export function ridingLink(token: string): Record<string, string> {
  return token === '' ? {} : { resumed: token };
}

/**
 * Saves what was answered so far, unjudged, and answers the page that tells its link. What was left empty is saved as null: it says how far
 * somebody came, and no default comes back. Errors: those of `savePartial` and `changePartial`.
 */
export async function saveByForm(
  { steps, params, asked_language }: Visit,
  form: Form,
  { answers, hidden }: Sent,
  { language: locale }: Pick<Filled, 'language'>,
): Promise<Go> {
  if (Buffer.byteLength(JSON.stringify(answers)) > SAVED_BYTES) throw new Failure('body_too_large');
  const { organization_id } = steps.caller;
  const { baseUrl } = steps.context.settings;
  const saving = { form_token: form.get('form_token'), data: answers, hidden, locale };
  const resumed = form.get('resumed');
  const token = await steps.write({ organization_id, may_change_nothing: true }, async (work) => {
    const before = await partialOf(work, resumed);
    if (before === null) return (await savePartial(work, params['formSlug']!, saving, baseUrl)).token;
    await changePartial(work, before, saving);
    return resumed;
  });
  const query = new URLSearchParams({ ...(asked_language && { lang: asked_language }), saved: '1' });
  return { to: `${pageOf(partialLinks, token)}?${query}` };
}

/** The partial that a link opens still; null where the link has ended, so that what is saved gets a new one. */
async function partialOf({ connection, organization_id, now }: Work, token: string): Promise<string | null> {
  if (token === '') return null;
  const link = await findLink(connection, partialLinks, token, now);
  return link?.state === 'living' && link.organization_id === organization_id ? link.record_id : null;
}
