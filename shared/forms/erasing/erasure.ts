import { TenantModel } from '../../db/model.ts';
import type { Work } from '../../kernel/work.ts';
import { emailKey } from '../../mail/email-key.ts';
import { createJob } from '../../platform/jobs/operations.ts';
import type { JobResource } from '../../platform/jobs/record.ts';
import { forgetInvitations, invitationsTo } from '../invitations/forget.ts';
import { endPartials, PARTIALS_TOGETHER } from '../partials/end.ts';
import { removeResponses } from '../responses/remove.ts';
import { eraseJob } from './jobs.ts';

/** What has been erased so far, or counted: the result of the job. CRM records are named and stay. */
export type Erased = {
  response_count: number;
  file_count: number;
  partial_count: number;
  invitation_count: number;
  /** The fields in which the address stood. */
  fields: { id: string; type: 'email' }[];
  crm_records: { type: 'contact' | 'company'; id: string }[];
};

const nothing: Erased = {
  response_count: 0,
  file_count: 0,
  partial_count: 0,
  invitation_count: 0,
  fields: [],
  crm_records: [],
};

/** An erasure that a job works at; `after` and `after_invitation` are the last ones that were counted. */
export type Erasure = {
  id: string;
  email_key: string;
  is_dry_run: boolean;
  done: Erased & { after: string; after_invitation: string };
};

const begun: Erasure['done'] = { ...nothing, after: '', after_invitation: '' };

class ErasureModel extends TenantModel {
  static override tableName = 'forms_erasures';
}

/** Has a worker erase, or count, every response of the organization with the address among its e-mail answers. */
export function requestErasure(
  work: Work,
  { email, dry_run }: { email: string; dry_run: boolean },
): JobResource {
  const job = createJob(work, { kind: 'forms.responses.erase', scope: 'forms:write', unit: 'responses' });
  work.insert(ErasureModel, {
    id: job.id,
    email_key: emailKey(email),
    is_dry_run: dry_run,
    done: begun,
    created_at: work.now.toISOString(),
  });
  const { type, id, user_id } = work.actor;
  work.enqueue(eraseJob, { job_id: job.id, asking: { type, id, user_id } }, { job_id: job.id });
  return job;
}

/** The erasure of a job, locked; null when it has ended. */
export async function lockErasure(work: Work, job_id: string): Promise<Erasure | null> {
  const [erasure] = await work.connection.query<Erasure>(
    'SELECT id, email_key, is_dry_run, done FROM forms_erasures WHERE organization_id = $1 AND id = $2 FOR UPDATE',
    [work.organization_id, job_id],
  );
  return erasure ? { ...erasure, done: { ...begun, ...erasure.done } } : null;
}

/** Forgets whom a job was to erase. */
export function endErasure(work: Work, job_id: string): void {
  work.remove(ErasureModel, job_id);
}

/** Responses, or invitations, that one part erases. */
const TOGETHER = 100;

type Found = { response_id: string; field_ids: string[] };

/**
 * Erases the next responses, or counts them, and keeps what was done; answers whether there may be more. What was erased by a
 * part that committed is not found again.
 */
export async function eraseNext(work: Work, { id, email_key, is_dry_run, done }: Erasure): Promise<boolean> {
  const { connection, organization_id } = work;
  const found = await connection.query<Found>(
    `SELECT response_id, array_agg(field_id ORDER BY field_id) AS field_ids FROM forms_emails
      WHERE organization_id = $1 AND email_key = $2 AND response_id > $3
      GROUP BY response_id ORDER BY response_id LIMIT ${TOGETHER}`,
    [organization_id, email_key, done.after],
  );
  if (found.length === 0) return false;
  const ids = found.map(({ response_id }) => response_id);
  const file_count = await countFiles(work, ids);
  const responses = is_dry_run ? await linksOf(work, ids) : await removeResponses(work, ids);
  const after = {
    ...done,
    after: ids.at(-1)!,
    response_count: done.response_count + responses.length,
    file_count: done.file_count + file_count,
    fields: withFields(done.fields, found),
    crm_records: withRecords(done.crm_records, responses),
  };
  work.update(ErasureModel, id, { done: after });
  return found.length === TOGETHER;
}

/** Ends the saved partials that hold the address, or counts them; answers how many. */
export async function eraseNextPartials(
  work: Work,
  { id, email_key, is_dry_run, done }: Erasure,
): Promise<boolean> {
  const held = [work.organization_id, JSON.stringify([email_key])];
  if (is_dry_run) {
    const [counted] = await work.connection.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM forms_partials WHERE organization_id = $1 AND email_keys @> $2::jsonb',
      held,
    );
    work.update(ErasureModel, id, { done: { ...done, partial_count: counted!.count } });
    return false;
  }
  const found = await work.connection.query<{ id: string }>(
    `SELECT id FROM forms_partials WHERE organization_id = $1 AND email_keys @> $2::jsonb ORDER BY id LIMIT $3`,
    [...held, PARTIALS_TOGETHER],
  );
  const ids = found.map((partial) => partial.id);
  const partial_count = done.partial_count + (await endPartials(work, ids));
  work.update(ErasureModel, id, { done: { ...done, partial_count } });
  return ids.length === PARTIALS_TOGETHER;
}

/** Forgets the next invitations that were sent to the address, or counts them; answers whether there may be more. */
export async function eraseNextInvitations(
  work: Work,
  { id, email_key, is_dry_run, done }: Erasure,
): Promise<boolean> {
  const ids = await invitationsTo(work, { email_key, after: done.after_invitation, most: TOGETHER });
  if (ids.length === 0) return false;
  const count = is_dry_run ? ids.length : await forgetInvitations(work, ids);
  const after = { after_invitation: ids.at(-1)!, invitation_count: done.invitation_count + count };
  work.update(ErasureModel, id, { done: { ...done, ...after } });
  return ids.length === TOGETHER;
}

async function countFiles({ connection, organization_id }: Work, ids: readonly string[]): Promise<number> {
  const [counted] = await connection.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM forms_files WHERE organization_id = $1 AND response_id = ANY ($2)',
    [organization_id, ids],
  );
  return counted!.count;
}

type Linked = { crm_contact_id: string | null; crm_company_id: string | null };

async function linksOf({ connection, organization_id }: Work, ids: readonly string[]): Promise<Linked[]> {
  return connection.query<Linked>(
    'SELECT crm_contact_id, crm_company_id FROM forms_responses WHERE organization_id = $1 AND id = ANY ($2)',
    [organization_id, ids],
  );
}

function withFields(known: Erased['fields'], found: readonly Found[]): Erased['fields'] {
  const ids = new Set([...known.map(({ id }) => id), ...found.flatMap(({ field_ids }) => field_ids)]);
  return [...ids].toSorted().map((id) => ({ id, type: 'email' }));
}

function withRecords(known: Erased['crm_records'], responses: readonly Linked[]): Erased['crm_records'] {
  const records = new Map(known.map((record) => [record.id, record]));
  for (const { crm_contact_id, crm_company_id } of responses) {
    if (crm_contact_id) records.set(crm_contact_id, { type: 'contact', id: crm_contact_id });
    if (crm_company_id) records.set(crm_company_id, { type: 'company', id: crm_company_id });
  }
  return [...records.values()];
}
