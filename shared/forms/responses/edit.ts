import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { emailKey } from '../../mail/email-key.ts';
import { compiledForm } from '../answers/compiled.ts';
import { claimFiles } from '../files/claim.ts';
import { RESPONSE_FILE_COLUMNS, type ResponseFile } from '../files/record.ts';
import { formWithVersion } from '../forms/queries.ts';
import type { AnsweredForm } from '../forms/rows.ts';
import { admitAtCommit } from './admit.ts';
import { endingOf, type OwnResponse, ownResponse, type ShownEnding } from './answered.ts';
import { acceptedAnswers, emailKeys, personOf } from './judging.ts';
import { type FormResponse, ResponseModel, responseFacts } from './record.ts';
import { type ResponseRow, responseColumns, responseOf } from './rows.ts';
import { responseSearch } from './search.ts';

/** What the link of a receipt shows; `response` is null where the answers cannot be changed (any more). */
export type Receipt = { ending: ShownEnding | null; response: OwnResponse | null };

const HOUR = 60 * 60_000;

const Emails = { tableName: 'forms_emails' };

type Stored = ResponseRow & { nonce_hash: string | null };

const COLUMNS = `${responseColumns.join(', ')}, nonce_hash`;

/** The receipt of a response. Errors: `not_found` for one that was removed. */
export async function receiptOf(reader: Reader, id: string): Promise<Receipt> {
  const row = await storedResponse(reader, id);
  const answered = await formWithVersion(reader, row.form_id, row.form_version);
  return shownReceipt(answered, row, reader.now);
}

/**
 * Changes the answers of a response by its link, judged by the version that it was given to. It emits no event. Errors:
 * `not_found` where they cannot be changed: later than the form's `allow_edit_hours`, or when it is archived; those of
 * `acceptedAnswers`; `already_answered`. Locks: the form against its end, the response, its files, then those of
 * `admitAtCommit`.
 */
export async function editResponse(work: Work, id: string, data: Record<string, unknown>): Promise<Receipt> {
  const { form_id } = await storedResponse(work, id);
  await work.connection.query(
    'SELECT FROM forms_forms WHERE organization_id = $1 AND id = $2 FOR KEY SHARE',
    [work.organization_id, form_id],
  );
  const row = await storedResponse(work, id, 'FOR UPDATE');
  const answered = await formWithVersion(work, form_id, row.form_version);
  const { settings, version } = answered;
  if (!isEditable(answered, row, work.now) || !version) throw notFound();
  const before = responseOf(row, await filesOf(work, id));
  const claimant = { form_id, nonce_hash: row.nonce_hash, response_id: id };
  const accepted = await acceptedAnswers(work, { version, settings, claimant }, { data, hidden: row.hidden });
  const { judged, files, compiled } = accepted;
  const acting = work.onBehalfOfGuest(id);
  const changes = {
    data: judged.data,
    scores: judged.scores,
    dropped_fields: judged.dropped_fields,
    ending_id: judged.ending_id,
    edited_at: work.now.toISOString(),
    updated_at: work.touch(row),
  };
  const after: FormResponse = { ...before, ...changes, files };
  const keys = emailKeys(accepted);
  const person = personOf(settings, keys);
  const isSamePerson = person.email_key === emailKeyIn(row.data, person.field_id);
  const fields = [...compiled.fields.values()].map(({ field }) => field);
  acting.update(ResponseModel, id, {
    ...changes,
    person_key: person.email_key,
    ...responseSearch(after, fields),
  });
  acting.run('DELETE FROM forms_emails WHERE organization_id = $1 AND response_id = $2', [
    work.organization_id,
    id,
  ]);
  acting.insertAll(
    Emails,
    keys.map((key) => ({ response_id: id, form_id, ...key })),
  );
  await claimFiles(acting, id, files, { is_edit: true });
  acting.record(responseFacts.updated, { before, after });
  admitAtCommit(acting, {
    form_id,
    response_id: id,
    // Who keeps the address takes nobody's place, though others have it as well.
    person: row.is_spam ? null : { ...person, email_key: isSamePerson ? null : person.email_key },
    invitation_id: null,
    max_responses: null,
    counts: { responses: 0, spam: 0 },
    submitted_at: null,
    nonce_hash: null,
    sender: null,
  });
  return shownReceipt(answered, { ...row, ...changes }, work.now);
}

function emailKeyIn(data: Record<string, unknown>, field_id: string): string | null {
  const answer = data[field_id];
  return typeof answer === 'string' ? emailKey(answer) : null;
}

async function storedResponse(
  { connection, organization_id }: Reader,
  id: string,
  lock: '' | 'FOR UPDATE' = '',
): Promise<Stored> {
  const [row] = await connection.query<Stored>(
    `SELECT ${COLUMNS} FROM forms_responses WHERE organization_id = $1 AND id = $2 ${lock}`,
    [organization_id, id],
  );
  if (!row) throw notFound();
  return row;
}

function filesOf({ connection, organization_id }: Reader, id: string): Promise<ResponseFile[]> {
  return connection.query<ResponseFile>(
    `SELECT ${RESPONSE_FILE_COLUMNS} FROM forms_files
      WHERE organization_id = $1 AND response_id = $2 ORDER BY id`,
    [organization_id, id],
  );
}

function isEditable({ form, settings }: AnsweredForm, { submitted_at }: Stored, now: Date): boolean {
  const until = Date.parse(submitted_at) + settings.allow_edit_hours * HOUR;
  return form.status !== 'archived' && now.getTime() < until;
}

function shownReceipt(answered: AnsweredForm, row: Stored, now: Date): Receipt {
  const { schema_json, sha256 } = answered.version!;
  return {
    ending: endingOf(compiledForm(schema_json, sha256), row.ending_id),
    response: isEditable(answered, row, now) ? ownResponse(row) : null,
  };
}
