import { notFound } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { outdateExports } from '../../platform/exports/outdated.ts';
import { releaseFile } from '../../platform/storage/loose-files.ts';
import { blankEvents, blankMailErrors, forgetReplies } from '../erasing/kept.ts';
import { responseFacts } from './record.ts';

/** A response that was removed, without its answers. */
export type RemovedResponse = {
  id: string;
  form_id: string;
  form_version: number;
  source: string;
  is_spam: boolean;
  submitted_at: string;
  made_up_at: string | null;
  updated_at: string;
  crm_contact_id: string | null;
  crm_company_id: string | null;
};

const COLUMNS = `id, form_id, form_version, source, is_spam, submitted_at, made_up_at, updated_at, crm_contact_id,
  crm_company_id`;

/**
 * Removes responses with their files, and what repeats their answers: the data of events, answers kept for repeated requests,
 * errors of mails, files of exports. Answers those that were there. The caller bounds how many. Locks: the forms, then the
 * responses, each in the order of their IDs; then files, exports and counts.
 */
export async function removeResponses(work: Work, ids: readonly string[]): Promise<RemovedResponse[]> {
  const responses = await lockResponses(work, ids);
  if (responses.length > 0) await removeLocked(work, responses);
  return responses;
}

/** Removes one response of a form. Errors: `not_found`, `precondition_failed`. */
export async function removeResponse(
  work: Work,
  { id, response_id }: { id: string; response_id: string },
): Promise<void> {
  const [response] = await lockResponses(work, [response_id]);
  if (response?.form_id !== id || !(await isThere(work, id))) throw notFound();
  work.precondition(response);
  await removeLocked(work, [response]);
}

/** The responses that are there, locked, and their forms against their removal. */
async function lockResponses(
  { connection, organization_id }: Work,
  ids: readonly string[],
): Promise<RemovedResponse[]> {
  await connection.query(
    `SELECT FROM forms_forms WHERE organization_id = $1 AND id IN (
       SELECT form_id FROM forms_responses WHERE organization_id = $1 AND id = ANY ($2))
      ORDER BY id FOR KEY SHARE`,
    [organization_id, ids],
  );
  return connection.query<RemovedResponse>(
    `SELECT ${COLUMNS} FROM forms_responses WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR UPDATE`,
    [organization_id, ids],
  );
}

/** Whether a form is there: responses of a removed one go behind it. */
async function isThere({ connection, organization_id }: Work, form_id: string): Promise<boolean> {
  const [form] = await connection.query('SELECT FROM forms_forms WHERE organization_id = $1 AND id = $2', [
    organization_id,
    form_id,
  ]);
  return form !== undefined;
}

async function filesOf(
  { connection, organization_id }: Work,
  responses: readonly RemovedResponse[],
): Promise<string[]> {
  const files = await connection.query<{ storage_key: string }>(
    `SELECT storage_key FROM forms_files WHERE organization_id = $1 AND response_id = ANY ($2) ORDER BY id FOR UPDATE`,
    [organization_id, responses.map(({ id }) => id)],
  );
  return files.map(({ storage_key }) => storage_key);
}

async function removeLocked(work: Work, responses: readonly RemovedResponse[]): Promise<void> {
  const storage_keys = await filesOf(work, responses);
  const form_ids = [...new Set(responses.map(({ form_id }) => form_id))];
  const records = { member: 'form_id', ids: form_ids };
  await outdateExports(work, [{ exporter: 'forms.responses', records }]);
  const ids = responses.map(({ id }) => id);
  const removed = [work.organization_id, ids];
  work.run('DELETE FROM forms_files WHERE organization_id = $1 AND response_id = ANY ($2)', removed);
  work.run('DELETE FROM forms_responses WHERE organization_id = $1 AND id = ANY ($2)', removed);
  for (const storage_key of storage_keys) releaseFile(work, storage_key);
  uncount(work, responses);
  blankEvents(work, responses);
  blankMailErrors(work, responses);
  forgetReplies(work, 'response', ids);
  for (const { id, form_id, form_version, source, is_spam, submitted_at } of responses) {
    // Nothing of what it answered.
    const before = { id, form_id, form_version, source, is_spam, submitted_at };
    work.record(responseFacts.deleted, { before, after: null });
  }
}

/** A form's count is the sum of its rows, so any of them can give what is gone. A removed form has none. */
function uncount(work: Work, responses: readonly RemovedResponse[]): void {
  const counted = Map.groupBy(responses, ({ form_id }) => form_id);
  const forms = [...counted.keys()].toSorted();
  const spamOf = (form_id: string) => counted.get(form_id)!.filter(({ is_spam }) => is_spam).length;
  work.run(
    `INSERT INTO forms_counts AS known (organization_id, form_id, slot, response_count, spam_count)
     SELECT $1, gone.form_id, 0, -gone.responses, -gone.spam
       FROM unnest($2::text[], $3::integer[], $4::integer[]) AS gone (form_id, responses, spam)
       JOIN forms_forms AS form ON form.organization_id = $1 AND form.id = gone.form_id
     ON CONFLICT (organization_id, form_id, slot) DO UPDATE
        SET response_count = known.response_count + excluded.response_count,
            spam_count = known.spam_count + excluded.spam_count`,
    [
      work.organization_id,
      forms,
      forms.map((form_id) => counted.get(form_id)!.length - spamOf(form_id)),
      forms.map(spamOf),
    ],
  );
}
