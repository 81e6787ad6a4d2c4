import type { Work } from '../../kernel/work.ts';
import { requestOptIn } from '../../mail/opt-ins/request.ts';
import type { Submitted } from '../responses/submitted.ts';
import { inLanguage, toldFields } from '../told/fields.ts';

/**
 * Asks for an opt-in to the mailing list of the settings where the response consents to it and has an address, with the words
 * of the consent and the title of the form as they were shown. Nothing is sent but the question. Locks: those of `requestOptIn`.
 */
export async function askOptIn(work: Work, { settings, version, response }: Submitted): Promise<void> {
  const { mailing_list } = settings;
  if (mailing_list === null || response.data[mailing_list.consent_field] !== true) return;
  const email = response.data[mailing_list.email_field];
  const consent = toldFields(version.schema_json).get(mailing_list.consent_field);
  if (typeof email !== 'string' || consent === undefined) return;
  const words = inLanguage(consent.text ?? consent.label, response.locale).trim();
  const text = words === '' ? null : words.slice(0, 10_000);
  const { list_id } = mailing_list;
  await requestOptIn(work, { email, list_id, text, source: version.title, locale: response.locale });
}
