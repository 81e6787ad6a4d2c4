import { SHARED_LETTERS } from '../../../shared/db/in-shared-work.ts';
import { submitAsGuest } from '../../../shared/forms/responses/submit.ts';
import type { Form, Go, Visit } from '../../pages/kit/page.ts';
import type { Filled } from './fill.ts';
import { given, type Sent } from './sent.ts';

/**
 * Submits a form that is filled in, by the function of the API, and answers where its ending leads: to the receipt, or to a page of who made
 * the form. Errors: those of `submitAsGuest`.
 */
export async function submitByForm(
  { steps, params, asked_language }: Visit,
  form: Form,
  { answers, hidden }: Sent,
  { language: locale, guard }: Pick<Filled, 'language' | 'guard'>,
): Promise<Go> {
  const { organization_id } = steps.caller;
  const { baseUrl } = steps.context.settings;
  const form_token = form.get('form_token');
  const honeypot = guard?.honeypot;
  const submission = {
    form_token,
    data: given(answers),
    hidden,
    locale,
    proof: form.get('proof') || null,
    beside: honeypot === undefined ? {} : { [honeypot]: form.get(honeypot) },
    source: 'page' as const,
  };
  const shares_commit = JSON.stringify(submission.data).length <= SHARED_LETTERS;
  const acting = { organization_id, may_change_nothing: true, shares_commit };
  const { ending, receipt_url } = await steps.write(acting, (work) =>
    submitAsGuest(work, params['formSlug']!, submission, baseUrl),
  );
  if (ending?.redirect_url) return { to: ending.redirect_url };
  const { pathname } = new URL(receipt_url);
  return { to: asked_language ? `${pathname}?lang=${asked_language}` : pathname };
}
