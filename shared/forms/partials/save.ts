import { randomBytes } from 'node:crypto';
import { DAY } from '../../kernel/days.ts';
import { Failure, notFound } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Language } from '../../kernel/language.ts';
import type { Work } from '../../kernel/work.ts';
import { emailKey } from '../../mail/email-key.ts';
import { moveEndOfLinks, newLink } from '../../platform/links/links.ts';
import { tokenFrom } from '../../platform/links/token.ts';
import { compiledForm } from '../answers/compiled.ts';
import { claimableFiles, fileIdsIn, refuseBeyondLimit } from '../files/claim.ts';
import { formWithVersion, publishedForm } from '../forms/queries.ts';
import { requireAccepting } from '../responses/accept.ts';
import type { SentAnswers } from '../responses/judging.ts';
import { responseOfNonce } from '../responses/repeated.ts';
import { countAddress } from '../spam/address.ts';
import { holdNonce } from '../tokens/hold.ts';
import { formToken } from '../tokens/open.ts';
import { type FormToken, nonceHash } from '../tokens/token.ts';
import type { FormVersion } from '../versions/record.ts';
import { savedAnswers, textsIn } from './answers.ts';
import { endPartials, leaveFiles, lockWithOthers, PARTIALS_TOGETHER } from './end.ts';
import { partialLinks } from './link.ts';
import { type PartialRow, partialOf, partialRow } from './queries.ts';
import { type Partial, PartialModel } from './record.ts';

/** What somebody sends to be saved. */
export type SentPartial = SentAnswers & { locale?: Language | undefined };

/** Partials that one nonce has at a time: one more ends the oldest. */
const PARTIALS_OF_NONCE = 5;

/**
 * Saves what was answered so far, with the files that it names, and answers the token that opens it, this once. Errors:
 * `not_found`, `form_not_open`, `form_closed`, `form_full`, `not_offered`, `form_token_invalid`, `form_token_expired`,
 * `already_submitted`, `validation_failed`, `body_too_large` beyond 100 MiB of files, `rate_limited` for an address that saves too
 * often. Locks: the sender's address, the nonce, the form against its end, the oldest partials of the nonce, then the files.
 */
export async function savePartial(
  work: Work,
  slug: string,
  { form_token, ...sent }: SentPartial & { form_token: string },
  base_url: string,
): Promise<Partial & { token: string }> {
  const published = await publishedForm(work, slug);
  const { form, settings } = published;
  requireAccepting(published, work.now);
  if (settings.resume_days === 0) throw new Failure('not_offered');
  const token = await unusedToken(work, form.id, form_token);
  const { version } = await formWithVersion(work, form.id, token.version);
  const expires = new Date(work.now.getTime() + settings.resume_days * DAY);
  const row: PartialRow = {
    id: newId('fpart', work.now),
    form_id: form.id,
    form_version: token.version,
    form_token,
    nonce_hash: nonceHash(token.nonce),
    ...answersFor(version, sent),
    expires_at: expires.toISOString(),
  };
  const use = { form_id: form.id, ip_address: work.ip_address ?? '', per_address: settings.spam.per_address };
  const address_hash = await countAddress(work, 'saving', use);
  await holdNonce(work, row.nonce_hash);
  await holdAgainstItsEnd(work, form.id);
  const at = work.now.toISOString();
  const { invitation_id } = token;
  const email_keys = emailKeysIn(row.data);
  work.insert(PartialModel, {
    ...row,
    invitation_id,
    email_keys,
    address_hash,
    created_at: at,
    updated_at: at,
  });
  await makeRoom(work, row);
  await keepFiles(work, row);
  const { connection, organization_id, now } = work;
  const making = { connection, now, base_url, newToken: () => tokenFrom(randomBytes(32)) };
  const url = await newLink(making, partialLinks, { organization_id, record_id: row.id, until: expires });
  // What is only saved is nothing that a history tells: its response is.
  work.nothingChanged();
  return { ...partialOf(row), token: url.slice(url.lastIndexOf('/') + 1) };
}

/**
 * Saves other answers in their place, for as long from now. A form token that is sent with them takes the place of that before:
 * its version and its nonce count from now on, and the files that were kept are uploads of it. A file that it names no more stays
 * with another partial of the nonce that does. Errors: `not_found`, `form_token_invalid`, `form_token_expired`,
 * `already_submitted`, `validation_failed`, `body_too_large`. Locks: those of `lockWithOthers`, then the files.
 */
export async function changePartial(
  work: Work,
  id: string,
  { form_token, ...sent }: SentPartial & { form_token?: string | undefined },
): Promise<Partial> {
  const others = (await lockWithOthers(work, [id])).filter((other) => other !== id);
  const before = await partialRow(work, id);
  const token = form_token === undefined ? null : await unusedToken(work, before.form_id, form_token);
  const form_version = token?.version ?? before.form_version;
  const { settings, version } = await formWithVersion(work, before.form_id, form_version);
  const until = new Date(work.now.getTime() + settings.resume_days * DAY);
  const changes = {
    form_version,
    form_token: form_token ?? before.form_token,
    nonce_hash: token ? nonceHash(token.nonce) : before.nonce_hash,
    ...answersFor(version, sent, before.locale),
    // Where the form saves nothing any more, what was saved before keeps its time.
    expires_at: settings.resume_days === 0 ? before.expires_at : until.toISOString(),
  };
  const after = { ...before, ...changes };
  await leaveFiles(work, [id], { to: others, kept: fileIdsIn(after.data) });
  await work.connection.query(
    'UPDATE forms_files SET partial_id = NULL, nonce_hash = $3 WHERE organization_id = $1 AND partial_id = $2',
    [work.organization_id, id, after.nonce_hash],
  );
  await keepFiles(work, after);
  work.update(PartialModel, id, {
    ...changes,
    ...(token && { invitation_id: token.invitation_id }),
    email_keys: emailKeysIn(after.data),
    updated_at: work.now.toISOString(),
  });
  moveEndOfLinks(work, partialLinks, id, new Date(after.expires_at));
  work.nothingChanged();
  return partialOf(after);
}

/** A form token that nothing was submitted with. Errors: `form_token_invalid`, `form_token_expired`, `already_submitted`. */
async function unusedToken(work: Work, form_id: string, text: string): Promise<FormToken> {
  const token = await formToken(work, form_id, text);
  if (await responseOfNonce(work, token)) throw new Failure('already_submitted');
  return token;
}

function answersFor(version: FormVersion | null, { data, hidden, locale }: SentPartial, before?: Language) {
  if (!version) throw notFound();
  const compiled = compiledForm(version.schema_json, version.sha256);
  return {
    ...savedAnswers(compiled, { data, hidden }),
    locale: locale ?? before ?? compiled.schema.locale,
  };
}

/** An archive waits for what is saved just now, and ends it; what comes after the archive is refused. Errors: `form_closed`. */
async function holdAgainstItsEnd({ connection, organization_id }: Work, form_id: string): Promise<void> {
  const [form] = await connection.query<{ status: string }>(
    'SELECT status FROM forms_forms WHERE organization_id = $1 AND id = $2 FOR SHARE',
    [organization_id, form_id],
  );
  if (form?.status !== 'published') throw new Failure('form_closed');
}

/** Ends the oldest partials of a nonce that is held, without the files that the new one names. */
async function makeRoom(work: Work, { id, nonce_hash }: PartialRow): Promise<void> {
  await work.flush();
  const old = await work.connection.query<{ id: string }>(
    `SELECT id FROM forms_partials WHERE organization_id = $1 AND nonce_hash = $2 AND id <> $3
      ORDER BY created_at DESC, id DESC OFFSET ${PARTIALS_OF_NONCE - 1} LIMIT ${PARTIALS_TOGETHER}`,
    [work.organization_id, nonce_hash, id],
  );
  if (old.length === 0) return;
  await endPartials(
    work,
    old.map((partial) => partial.id),
  );
}

/** The files that the answers name stay as long as the partial. */
async function keepFiles(work: Work, { id, form_id, nonce_hash, data }: PartialRow): Promise<void> {
  const files = await claimableFiles(work, { form_id, nonce_hash }, fileIdsIn(data));
  refuseBeyondLimit([...files.values()]);
  if (files.size === 0) return;
  work.run('UPDATE forms_files SET partial_id = $2 WHERE organization_id = $1 AND id = ANY ($3)', [
    work.organization_id,
    id,
    [...files.keys()],
  ]);
}

/** Everything in the answers that may be an e-mail address: by it an erasure finds what was only saved. */
function emailKeysIn(data: Record<string, unknown>): string[] {
  const texts = textsIn(data).map((text) => text.trim());
  return [...new Set(texts.filter((text) => text.length <= 320 && text.includes('@')).map(emailKey))];
}
