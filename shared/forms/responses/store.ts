import { newId } from '../../kernel/id.ts';
import type { Language } from '../../kernel/language.ts';
import type { Work } from '../../kernel/work.ts';
import { claimFiles } from '../files/claim.ts';
import type { AnsweredForm } from '../forms/rows.ts';
import type { Sender } from '../spam/address.ts';
import type { SpamReason } from '../spam/signs.ts';
import type { FormVersion } from '../versions/record.ts';
import { admitAtCommit } from './admit.ts';
import { effectsOf } from './effects.ts';
import { type Accepted, emailKeys, personOf } from './judging.ts';
import { type FormResponse, flaggedFact, ResponseModel, responseFacts } from './record.ts';
import { responseSearch } from './search.ts';
import type { ResponseSource } from './words.ts';

const Emails = { tableName: 'forms_emails' };

/** A response that is about to be stored. */
export type Submission = {
  answered: AnsweredForm & { version: FormVersion };
  accepted: Accepted;
  source: ResponseSource;
  locale: Language;
  /** Of a submission without credentials; null with. */
  guest: {
    invitation_id: string | null;
    seconds_to_submit: number;
    nonce_hash: string;
    payload_sha256: string;
    reasons: SpamReason[];
    sender: Sender | null;
  } | null;
};

/**
 * Stores a response with all that follows from it; what is flagged as spam is stored alone. It is admitted or refused as the work
 * commits, and ends what was saved with its form token. Errors: those of `admitAtCommit`. Locks: those of `effectsOf`, then those of
 * `admitAtCommit`.
 */
export async function storeResponse(work: Work, submission: Submission): Promise<FormResponse> {
  const id = newId('resp', work.now);
  const acting = submission.guest ? work.onBehalfOfGuest(id) : work;
  const fresh = responseFrom(acting, id, submission);
  const { answered, accepted, guest } = submission;
  const keys = emailKeys(accepted);
  const person = personOf(answered.settings, keys);
  const crm = fresh.is_spam
    ? fresh.crm
    : await effectsOf(acting, { ...answered, response: fresh, is_new: true });
  const response = { ...fresh, crm };
  // The release before finds by its key whom this one has stored.
  acting.insert(ResponseModel, { ...rowOf(response, submission), person_key: person.email_key });
  acting.insertAll(
    Emails,
    keys.map((key) => ({ response_id: id, form_id: answered.form.id, ...key })),
  );
  await claimFiles(acting, id, accepted.files);
  acting.record(response.is_spam ? flaggedFact : responseFacts.created, { before: null, after: response });
  admitAtCommit(acting, {
    form_id: answered.form.id,
    response_id: id,
    person: response.is_spam ? null : person,
    invitation_id: response.is_spam ? null : (guest?.invitation_id ?? null),
    max_responses: response.is_spam ? null : answered.settings.max_responses,
    counts: response.is_spam ? { responses: 0, spam: 1 } : { responses: 1, spam: 0 },
    submitted_at: response.submitted_at,
    nonce_hash: guest?.nonce_hash ?? null,
    sender: guest?.sender ?? null,
  });
  return response;
}

function responseFrom(
  { now }: Work,
  id: string,
  { answered: { form, version }, accepted: { judged, files }, source, locale, guest }: Submission,
): FormResponse {
  const at = now.toISOString();
  const spam_reasons = guest?.reasons ?? [];
  return {
    id,
    object: 'forms.response',
    form_id: form.id,
    form_version: version.number,
    data: judged.data,
    hidden: judged.hidden,
    scores: judged.scores,
    dropped_fields: judged.dropped_fields,
    ending_id: judged.ending_id,
    locale,
    source,
    invitation_id: guest?.invitation_id ?? null,
    is_spam: spam_reasons.length > 0,
    spam_reasons,
    status: 'open',
    assignee_id: null,
    files,
    crm: { status: 'none', contact_id: null, company_id: null, error: null },
    note: null,
    seconds_to_submit: guest?.seconds_to_submit ?? null,
    submitted_at: at,
    edited_at: null,
    updated_at: at,
  };
}

function rowOf({ object, files, crm, ...fields }: FormResponse, { accepted, guest }: Submission) {
  const shown = [...accepted.compiled.fields.values()].map(({ field }) => field);
  return {
    ...fields,
    crm_status: crm.status,
    crm_contact_id: crm.contact_id,
    crm_company_id: crm.company_id,
    crm_error: crm.error,
    nonce_hash: guest?.nonce_hash ?? null,
    payload_sha256: guest?.payload_sha256 ?? null,
    address_hash: guest?.sender?.address_hash ?? null,
    ...responseSearch(fields, shown),
  };
}
