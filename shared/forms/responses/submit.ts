import { randomBytes } from 'node:crypto';
import { Failure, notFound, unknownReference } from '../../kernel/failure.ts';
import type { Language } from '../../kernel/language.ts';
import type { Work } from '../../kernel/work.ts';
import { type LinkKey, usableKey } from '../../platform/links/keys.ts';
import { linkOfNewRecord } from '../../platform/links/new-record.ts';
import { compiledForm } from '../answers/compiled.ts';
import { formWithVersion, publishedForm } from '../forms/queries.ts';
import type { Form } from '../forms/record.ts';
import type { AnsweredForm } from '../forms/rows.ts';
import {
  hiddenByInvitation,
  noInvitation,
  type OpenInvitation,
  unusedInvitation,
} from '../invitations/open.ts';
import { ADDRESS_KEY, PER_ADDRESS } from '../spam/address.ts';
import { guardAgainstSpam, type Verdict } from '../spam/guard.ts';
import { challengeOf } from '../spam/proof.ts';
import { requireFormToken, signedFormToken } from '../tokens/open.ts';
import { type FormToken, honeypotOf, nonceHash, readToken } from '../tokens/token.ts';
import type { FormVersion } from '../versions/record.ts';
import { requireAccepting } from './accept.ts';
import { FORM_DRAFT } from './admit.ts';
import { endingOf, type OwnResponse, ownResponse, type ShownEnding } from './answered.ts';
import { type Accepted, acceptedAnswers, type SentAnswers } from './judging.ts';
import { endOfReceipt, receiptLinks, receiptUrl } from './links.ts';
import type { FormResponse } from './record.ts';
import { type Before, payloadHash, requireSame, responseOfNonce } from './repeated.ts';
import { storeResponse } from './store.ts';

/** What a member or a key submits. */
export type StaffSubmission = SentAnswers & { locale: Language | null; version: number | null };

/** What a guest submits, by the API or by a page. */
export type GuestSubmission = SentAnswers & {
  form_token: string;
  locale: Language | null;
  proof: string | null;
  /** The names and values of everything that was sent beside: the honeypot is among them. */
  beside: Readonly<Record<string, unknown>>;
  source: 'page' | 'public';
  /** Told the pages that a new response went through, where nobody has counted them before. */
  passed?: (form: Form, page_ids: readonly string[]) => void;
};

/** What a guest is answered, who is not told whether the response counts as spam. */
export type Received = { response: OwnResponse; ending: ShownEnding | null; receipt_url: string };

/**
 * Stores a response of who has credentials: without form token, invitation and spam guard. Errors: `not_found`; `form_draft`,
 * `form_not_open`, `form_closed`, `form_full`; `unknown_reference` for a version that was not published; those of
 * `acceptedAnswers` and `storeResponse`.
 */
export async function submitAsStaff(
  work: Work,
  form_id: string,
  { locale, version: number, ...sent }: StaffSubmission,
): Promise<FormResponse> {
  const answered = await formWithVersion(work, form_id, number);
  requireAccepting(answered, work.now);
  const { version, settings } = answered;
  if (!version) throw unknownReference('/version', { en: 'The version', ja: 'バージョン' });
  const claimant = { form_id, nonce_hash: null };
  const accepted = await acceptedAnswers(work, { version, settings, claimant }, sent);
  return storeResponse(work, {
    answered: { ...answered, version },
    accepted,
    source: 'api',
    locale: locale ?? accepted.compiled.schema.locale,
    guest: null,
  });
}

/**
 * Stores a response of a guest, or answers the one that its form token was used up by. Errors: `not_found`; `already_submitted`;
 * `form_not_open`, `form_closed`, `form_full`; `already_answered`; `form_token_invalid`, `form_token_expired`; `rate_limited`;
 * those of `acceptedAnswers` and `storeResponse`. Locks: the files that are named, then those of `storeResponse`.
 */
export async function submitAsGuest(
  work: Work,
  slug: string,
  submission: GuestSubmission,
  base_url: string,
): Promise<Received> {
  const { form_token, locale, source, passed, data, hidden } = submission;
  const sent = { data, hidden };
  // Of two that are sent at once the second one finds the first when it runs again.
  work.repeatOn('forms_responses_nonce_once');
  // Who came with too many from one address finds those that were stored.
  work.repeatOn(PER_ADDRESS);
  // To the public a form that is a draft by now is none: it is looked for again.
  work.repeatOn(FORM_DRAFT);
  const [{ answered, token, before }, key, address_key] = await Promise.all([
    readAll(work, slug, form_token),
    usableKey(work, receiptLinks.name, () => randomBytes(32)),
    usableKey(work, ADDRESS_KEY, () => randomBytes(32)),
  ]);
  if (before && token) return sentAgain(work, before, sent, base_url);
  let judging: Judging;
  try {
    judging = await judgedByAll(work, { answered, token, address_key }, submission);
  } catch (error) {
    // Of two at once the second one is refused for what the first one took: its file, its invitation, the last place.
    const stored = error instanceof Failure ? await storedMeanwhile(work, answered, token) : undefined;
    if (!stored) throw error;
    return sentAgain(work, stored, sent, base_url);
  }
  const { version, accepted, invitation, elapsed, nonce_hash, verdict } = judging;
  const { compiled, judged } = accepted;
  const response = await storeResponse(work, {
    answered: { ...answered, version },
    accepted,
    source,
    locale: locale ?? compiled.schema.locale,
    guest: {
      invitation_id: invitation?.id ?? null,
      seconds_to_submit: Math.max(0, Math.floor(elapsed / 1_000)),
      nonce_hash,
      payload_sha256: payloadHash(sent),
      ...verdict,
    },
  });
  if (passed) work.whenStored(() => passed(answered.form, judged.path));
  const until = endOfReceipt(response.submitted_at);
  const path = linkOfNewRecord(work, receiptLinks, key, { record_id: response.id, until });
  const ending = endingOf(compiled, response.ending_id);
  return { response: ownResponse(response), ending, receipt_url: `${base_url}${path}` };
}

/** What all rules say of a submission that may be stored. */
type Judging = {
  version: FormVersion;
  accepted: Accepted;
  invitation: OpenInvitation | null;
  /** Milliseconds since the nonce was first issued. */
  elapsed: number;
  nonce_hash: string;
  verdict: Verdict;
};

/** Steps 1 to 8 of a submission, but for the nonce. It writes nothing. */
async function judgedByAll(
  work: Work,
  { answered, token, address_key }: { answered: AnsweredForm; token: FormToken | null; address_key: LinkKey },
  { data, hidden: given, proof, beside }: GuestSubmission,
): Promise<Judging> {
  requireAccepting(answered, work.now);
  const { form, settings } = answered;
  const invitation = await invitationOf(work, answered, token);
  const good = requireFormToken(token, form.id, work.now);
  if (!answered.version) throw notFound();
  const version: FormVersion = answered.version;
  const nonce_hash = nonceHash(good.nonce);
  const claimant = { form_id: form.id, nonce_hash };
  const { schema } = compiledForm(version.schema_json, version.sha256);
  const hidden = { ...given, ...hiddenByInvitation(schema, invitation) };
  const accepted = await acceptedAnswers(work, { version, settings, claimant }, { data, hidden });
  const elapsed = work.now.getTime() - good.first_issued_at;
  const verdict = await guardAgainstSpam(work, settings.spam, address_key, {
    form_id: form.id,
    ip_address: work.ip_address ?? '',
    data: accepted.judged.data,
    url_fields: urlFields(accepted.compiled.fields),
    is_trapped: isFilled(beside[honeypotOf(good.nonce)]),
    elapsed,
    challenge: good.is_challenged ? challengeOf(good.nonce) : null,
    proof,
  });
  return { version, accepted, invitation, elapsed, nonce_hash, verdict };
}

/** The response that used a form token up since it was looked for. */
async function storedMeanwhile(
  work: Work,
  { form }: AnsweredForm,
  token: FormToken | null,
): Promise<Before | undefined> {
  return token?.form_id === form.id ? responseOfNonce(work, token) : undefined;
}

/** What the same submission was answered before. Errors: `already_submitted` for another one. */
function sentAgain(work: Work, before: Before, sent: SentAnswers, base_url: string): Promise<Received> {
  requireSame(before, sent);
  work.nothingChanged();
  return receivedBefore(work, before, base_url);
}

/** The form, what the token says and the response that used it up, in one trip. */
async function readAll(work: Work, slug: string, form_token: string) {
  const said = readToken(form_token);
  const [token, before, answered] = await Promise.all([
    signedFormToken(work, form_token),
    said ? responseOfNonce(work, said) : undefined,
    publishedForm(work, slug, said?.version ?? null),
  ]);
  return { answered, token, before: token?.form_id === answered.form.id ? before : undefined };
}

/**
 * The invitation that a form token was issued for; one of another form has none, and is refused as such. Errors: `not_found` without
 * one that the form asks for; those of `unusedInvitation`.
 */
async function invitationOf(work: Work, { form, settings }: AnsweredForm, token: FormToken | null) {
  if (token?.form_id !== form.id) return null;
  if (token.invitation_id !== null) return unusedInvitation(work, form.id, token.invitation_id);
  if (settings.access === 'invited') throw noInvitation();
  return null;
}

/** What was answered to a submission that is sent again. */
export async function receivedBefore(work: Work, before: Before, base_url: string): Promise<Received> {
  const [{ version }, receipt_url] = await Promise.all([
    formWithVersion(work, before.form_id, before.form_version),
    receiptUrl(work, before, base_url),
  ]);
  const ending = endingOf(compiledForm(version!.schema_json, version!.sha256), before.ending_id);
  return { response: ownResponse(before), ending, receipt_url };
}

function urlFields(fields: ReadonlyMap<string, { field: { id: string; type: string } }>): Set<string> {
  return new Set([...fields.values()].flatMap(({ field: { id, type } }) => (type === 'url' ? [id] : [])));
}

function isFilled(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/**
 * What was answered to a submission with the same form token, answers and hidden values; null where its token is not used up.
 * Errors: `not_found`, `already_submitted`.
 */
export async function submittedBefore(
  work: Work,
  slug: string,
  { form_token, data, hidden }: SentAnswers & { form_token: string },
  base_url: string,
): Promise<Received | null> {
  const { token, before } = await readAll(work, slug, form_token);
  if (!before || !token) return null;
  requireSame(before, { data, hidden });
  return receivedBefore(work, before, base_url);
}
