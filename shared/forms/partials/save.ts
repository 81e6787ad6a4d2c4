import { randomBytes } from 'node:crypto';
import { DAY } from '../../kernel/days.ts';
import { Failure, notFound } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { emailKey } from '../../mail/email-key.ts';
import { moveEndOfLinks, newLink } from '../../platform/links/links.ts';
import { tokenFrom } from '../../platform/links/token.ts';
import { claimableFiles, fileIdsIn, refuseBeyondLimit } from '../files/claim.ts';
import { publishedForm, storedForm } from '../forms/queries.ts';
import { requireAccepting } from '../responses/accept.ts';
import { formToken } from '../tokens/open.ts';
import { nonceHash } from '../tokens/token.ts';
import { endPartials } from './end.ts';
import { partialLinks } from './link.ts';
import { type Partial, PartialModel } from './record.ts';

type Answers = Record<string, unknown>;

/**
 * Saves what was answered so far, with the files that it names, and answers the token that opens it, this once. Errors:
 * `not_found`, `form_not_open`, `form_closed`, `form_full`, `not_offered`, `form_token_invalid`, `form_token_expired`,
 * `body_too_large` beyond 100 MiB of files. Locks: the form against its removal, then the files.
 */
export async function savePartial(
  work: Work,
  slug: string,
  { data, form_token }: { data: Answers; form_token: string },
  base_url: string,
): Promise<Partial & { token: string }> {
  const answered = await publishedForm(work, slug);
  const { form, settings } = answered;
  requireAccepting(answered, work.now);
  if (settings.resume_days === 0) throw new Failure('not_offered');
  const token = await formToken(work, form.id, form_token);
  const expires = new Date(work.now.getTime() + settings.resume_days * DAY);
  const at = work.now.toISOString();
  const shown = {
    id: newId('fpart', work.now),
    data,
    version: token.version,
    expires_at: expires.toISOString(),
  };
  const nonce_hash = nonceHash(token.nonce);
  work.insert(PartialModel, {
    id: shown.id,
    form_id: form.id,
    form_version: token.version,
    nonce_hash,
    form_token,
    invitation_id: token.invitation_id,
    data,
    email_keys: emailKeysIn(data),
    locale: 'ja',
    created_at: at,
    updated_at: at,
    expires_at: shown.expires_at,
  });
  await keepFiles(work, { id: shown.id, form_id: form.id, nonce_hash }, data);
  const { connection, organization_id, now } = work;
  const making = { connection, now, base_url, newToken: () => tokenFrom(randomBytes(32)) };
  const url = await newLink(making, partialLinks, { organization_id, record_id: shown.id, until: expires });
  // What is only saved is nothing that a history tells: its response is.
  work.nothingChanged();
  return { ...partialOf(shown), token: url.slice(url.lastIndexOf('/') + 1) };
}

type Row = {
  id: string;
  form_id: string;
  form_version: number;
  nonce_hash: string;
  data: Answers;
  expires_at: string;
};

const ROW = `SELECT id, form_id, form_version, nonce_hash, data, expires_at FROM forms_partials
  WHERE organization_id = $1 AND id = $2 AND expires_at > $3`;

/** What was saved. Errors: `not_found`. */
export async function savedPartial(reader: Reader, id: string): Promise<Partial> {
  return shownRow(await rowOf(reader, ROW, id));
}

/** Saves other answers in their place, for as long from now. Errors: `not_found`, `body_too_large`. */
export async function changePartial(work: Work, id: string, data: Answers): Promise<Partial> {
  const row = await rowOf(work, `${ROW} FOR UPDATE`, id);
  const { settings } = await storedForm(work, row.form_id);
  const expires = new Date(work.now.getTime() + settings.resume_days * DAY);
  const expires_at = settings.resume_days === 0 ? row.expires_at : expires.toISOString();
  const updated_at = work.now.toISOString();
  work.run('UPDATE forms_files SET partial_id = NULL WHERE organization_id = $1 AND partial_id = $2', [
    work.organization_id,
    id,
  ]);
  await keepFiles(work, row, data);
  work.update(PartialModel, id, { data, email_keys: emailKeysIn(data), expires_at, updated_at });
  moveEndOfLinks(work, partialLinks, id, new Date(expires_at));
  work.nothingChanged();
  return shownRow({ ...row, data, expires_at });
}

/** Ends what was saved. Errors: `not_found`. */
export async function deletePartial(work: Work, id: string): Promise<void> {
  if ((await endPartials(work, [id])) === 0) throw notFound();
  work.nothingChanged();
}

async function rowOf({ connection, organization_id, now }: Reader, text: string, id: string): Promise<Row> {
  const [row] = await connection.query<Row>(text, [organization_id, id, now.toISOString()]);
  if (!row) throw notFound();
  return row;
}

function shownRow({ id, data, form_version: version, expires_at }: Row): Partial {
  return partialOf({ id, data, version, expires_at });
}

function partialOf({ id, ...shown }: Omit<Partial, 'object'>): Partial {
  return { id, object: 'forms.partial', ...shown };
}

/** The files that the answers name stay as long as the partial. */
async function keepFiles(
  work: Work,
  { id, form_id, nonce_hash }: { id: string; form_id: string; nonce_hash: string },
  data: Answers,
): Promise<void> {
  const files = await claimableFiles(work, { form_id, nonce_hash }, fileIdsIn(data));
  refuseBeyondLimit([...files.values()]);
  if (files.size === 0) return;
  work.run('UPDATE forms_files SET partial_id = $2 WHERE organization_id = $1 AND id = ANY ($3)', [
    work.organization_id,
    id,
    [...files.keys()],
  ]);
}

/** Every answer that may be an e-mail address: by them an erasure finds what was only saved. */
function emailKeysIn(data: Answers): string[] {
  const texts = Object.values(data).filter((answer) => typeof answer === 'string');
  return [...new Set(texts.filter((text) => text.length <= 320 && text.includes('@')).map(emailKey))];
}
