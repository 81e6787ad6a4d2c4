import { Failure, unknownReference } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { allows } from '../../kernel/scope.ts';
import type { Work } from '../../kernel/work.ts';
import type { FileSource } from '../../platform/file-sources/source.ts';
import type { Content } from '../../platform/jobs/generated.ts';
import { createJob } from '../../platform/jobs/operations.ts';
import type { JobResource } from '../../platform/jobs/record.ts';
import { type Arrived, createFile, nameOf } from '../files/store.ts';
import { takeKey } from '../items/keys.ts';
import { nameInPlace } from '../items/taken.ts';
import { copyRecordJob } from '../jobs.ts';
import { holdsFiles } from '../links/operations.ts';
import { type LinkType, linkTargets } from '../links/types.ts';
import { lockTree } from '../tree/lock.ts';
import { type Place, placeOfBody, requirePermission } from '../tree/place.ts';
import { quotaOf, requireRoom } from '../usage/quota.ts';
import { type CopyInput, CopyModel, type CopyRequest } from './record.ts';

/**
 * Has a worker copy the file of a record into a folder and link it. What can be refused now is. Errors:
 * `insufficient_scope` for who may not read the record, `unknown_reference`, `folder_permission`, `already_exists`,
 * `quota_exceeded`.
 */
export async function requestCopy(
  work: Work,
  source: FileSource,
  input: CopyInput,
  installation_bytes: number,
): Promise<JobResource> {
  const content = await contentOfSource(work, source, input.source.id);
  await lockTree(work, 'shared');
  const place = await placeOf(work, source, input);
  const name = input.name ?? ('file' in content ? nameOf(content.file) : null);
  if (name !== null) await nameInPlace(work, { ...placed(place), name, on_conflict: input.on_conflict });
  await takeKey(work, 'file', input.external_id);
  if ('file' in content) {
    await requireRoom(work, content.file.size, await quotaOf(work, installation_bytes));
  }
  // Only who asked sees the job: it says where the file went.
  const job = createJob(work, { kind: 'cloud.files.copy_record', scope: '*', unit: null });
  const { type, id, user_id } = work.actor;
  const { request_id } = work;
  const request: CopyRequest = { ...input, actor: { type, id, user_id }, request_id, content_key: null };
  work.insert(CopyModel, { id: job.id, request, created_at: work.now.toISOString() });
  work.enqueue(copyRecordJob, { job_id: job.id }, { job_id: job.id, priority: 'high' });
  return job;
}

/** The file of a record, or what makes it. Errors: `insufficient_scope`, `unknown_reference`. */
export async function contentOfSource(
  reader: Reader,
  { scope, prefix, content }: FileSource,
  id: string,
): Promise<Content> {
  if (!allows(reader.actor.grants, scope)) {
    throw new Failure('insufficient_scope', {
      detail: {
        en: `To copy a file of this record needs the scope ${scope}`,
        ja: `このレコードのファイルをコピーするには、スコープ ${scope} が必要です`,
      },
      members: { required_scope: scope },
    });
  }
  if (!id.startsWith(`${prefix}_`)) throw unknownReference('/source/id', id);
  return content(reader, id).catch((error) => {
    if (error instanceof Failure && error.code === 'not_found') throw unknownReference('/source/id', id);
    throw error;
  });
}

/** What a job is to copy; null where it has been copied, or was asked for too long ago. */
export async function copyRequest(
  { connection, organization_id }: Reader,
  job_id: string,
): Promise<CopyRequest | null> {
  const [row] = await connection.query<{ request: CopyRequest }>(
    'SELECT request FROM cloud_copies WHERE organization_id = $1 AND id = $2',
    [organization_id, job_id],
  );
  return row?.request ?? null;
}

/** Notes the content whose making was asked for: another try waits for it and does not ask again. */
export function noteContentKey(work: Work, job_id: string, request: CopyRequest, content_key: string): void {
  work.update(CopyModel, job_id, { request: { ...request, content_key } });
}

/** Forgets what was asked for: what failed to be made is asked for again. */
export function forgetContentKey(work: Work, job_id: string): void {
  work.run(
    `UPDATE cloud_copies SET request = jsonb_set(request, '{content_key}', 'null')
      WHERE organization_id = $1 AND id = $2`,
    [work.organization_id, job_id],
  );
}

export function endCopy(work: Work, job_id: string): void {
  work.run('DELETE FROM cloud_copies WHERE organization_id = $1 AND id = $2', [work.organization_id, job_id]);
}

/**
 * Keeps the copied bytes as a file that is linked to the record. Errors: `unknown_reference`, `folder_permission`,
 * `already_exists`, `quota_exceeded`.
 */
export async function keepCopy(
  work: Work,
  source: FileSource,
  request: CopyRequest,
  arrived: Arrived,
): Promise<string> {
  await lockTree(work, 'shared');
  const place = await placeOf(work, source, request);
  const { name = nameOf(arrived.file), on_conflict, description, external_id, metadata } = request;
  const links = isLinkType(source.type) ? [{ type: source.type, id: request.source.id }] : [];
  const fields = { name, place, on_conflict, description, external_id, metadata, links };
  return (await createFile(work, fields, arrived)).file.id;
}

/** The folder, where who asked may put a file that is linked to the record. */
async function placeOf(
  work: Work,
  { type }: FileSource,
  { folder_id = null, source }: CopyInput,
): Promise<Place> {
  const place = await placeOfBody(work, folder_id, '/folder_id');
  if (isLinkType(type) && (await holdsFiles(work, { type, id: source.id }))) {
    requirePermission(place.permission, 'manager');
  }
  return place;
}

const placed = ({ folder_id }: Place) => ({ parent_id: folder_id });

function isLinkType(type: string): type is LinkType {
  return type in linkTargets;
}
