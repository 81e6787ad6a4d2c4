import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Text } from '../../kernel/language.ts';
import type { Work } from '../../kernel/work.ts';
import {
  type CancelsInstead,
  cancelJob,
  cancelOwnJob,
  createJob,
  pauseJob,
  resumeJob,
} from '../jobs/operations.ts';
import { jobById } from '../jobs/queries.ts';
import type { JobResource } from '../jobs/record.ts';
import type { UploadedFile } from '../storage/stored-file.ts';
import { type ImportDomain, outcomes } from './domain.ts';
import { revertImportJob, runImportJob } from './jobs.ts';
import type { CommonOptions } from './options.ts';
import { previewWith } from './preview.ts';
import { refuseMissingFields, refuseUnknownColumns } from './reading/mapping.ts';
import { ImportModel, type ImportRecord, type ImportStatus, KEPT, KEPT_DAYS } from './record.ts';
import { changeImport, endImport, lockImport } from './run/checkpoint.ts';
import { earlierImportsOfFile, fileWarnings } from './same-file.ts';

export type Started = { row: ImportRecord; job: JobResource };

/**
 * Takes a stored file for import; what can be told from its beginning is refused here, before anything is queued.
 * Errors: `unsupported_media_type`, `validation_failed`, `unknown_reference`.
 */
export async function createImport<Options extends CommonOptions>(
  work: Work,
  domain: ImportDomain<Options>,
  { file, options: asked }: { file: UploadedFile; options: Options },
): Promise<Started> {
  const fields = await domain.fields(work);
  const preview = await previewWith(domain, fields, file.head, asked);
  refuseUnknownColumns(preview);
  refuseMissingFields(preview, fields);
  const options = await domain.check(work, asked);
  const same_file_as = await earlierImportsOfFile(work, domain.kind, file.sha256);
  const created_at = work.now.toISOString();
  // Of a longer file the encoding may turn out to be another one, and so the headers.
  const isWhole = file.size === file.head.length;
  const job = createJob(work, { kind: `${domain.kind}.import`, scope: domain.scope, unit: 'rows' });
  const row: ImportRecord = {
    id: newId(domain.prefix, work.now),
    kind: domain.kind,
    list_id: listOf(options),
    job_id: job.id,
    status: 'queued',
    error: null,
    file_name: file.file_name,
    file_bytes: file.size,
    file_sha256: file.sha256,
    storage_key: file.storage_key,
    options,
    encoding: null,
    delimiter: null,
    has_header: null,
    columns: null,
    mapping: isWhole ? preview.mapping : (asked.mapping ?? null),
    ignored_columns: isWhole ? [...preview.ignored_columns] : null,
    same_file_as,
    warnings: fileWarnings(domain, same_file_as, preview.first_rows, options, { writes: !options.dry_run }),
    on_conflict: options.on_conflict,
    dry_run: options.dry_run,
    checkpoint_byte: null,
    checkpoint_row: null,
    total_rows: null,
    processed_rows: 0,
    waiting_rows: 0,
    record_count: 0,
    ...zeroCounts(),
    running_milliseconds: 0,
    first_id: null,
    last_id: null,
    revert: null,
    actor_type: work.actor.type,
    actor_id: work.actor.id,
    created_by: work.actor.user_id,
    request_id: work.request_id,
    created_at,
    updated_at: created_at,
    started_at: null,
    finished_at: null,
    reverted_at: null,
  };
  work.insert(ImportModel, row);
  work.enqueue(runImportJob, { import_id: row.id, job_id: job.id }, { job_id: job.id });
  return { row, job };
}

/** Stops at the next chunk; what is written stays. Errors: `not_found`, `invalid_transition`. */
export async function cancelImport(work: Work, domain: ImportDomain, id: string): Promise<ImportRecord> {
  const row = await lockOf(work, domain, id, ['queued', 'running', 'paused'], 'cancelled');
  await endJob(work, row);
  return endImport(work, domain, row, { status: 'cancelled' });
}

/** Pauses at the next chunk. Errors: `not_found`, `invalid_transition`. */
export async function pauseImport(work: Work, domain: ImportDomain, id: string): Promise<ImportRecord> {
  const row = await lockOf(work, domain, id, ['queued', 'running'], 'paused');
  if (row.job_id !== null) await pauseJob(work, row.job_id);
  work.nothingChanged();
  return changeImport(work, row, { status: 'paused' });
}

/**
 * Goes on where a pause was, with the same job; with a new one where the import was paused by the release before, which ended
 * its job. Errors: `not_found`, `invalid_transition`.
 */
export async function resumeImport(work: Work, domain: ImportDomain, id: string): Promise<Started> {
  const row = await lockOf(work, domain, id, ['paused'], 'queued');
  const job =
    (row.job_id && (await resumeJob(work, row.job_id))) ||
    createJob(work, { kind: `${domain.kind}.import`, scope: domain.scope, unit: 'rows' });
  work.enqueue(runImportJob, { import_id: id, job_id: job.id }, { job_id: job.id });
  return { row: changeImport(work, row, { status: 'queued', job_id: job.id }), job };
}

/** Cancels a paused import with its job: no run of it would hear of that. Answers whether the job is one of those. */
export function cancelsPausedImport(domains: readonly ImportDomain[]): CancelsInstead {
  return async (work, job_id) => {
    const { kind, status } = await jobById(work, job_id);
    const domain = domains.find((each) => kind === `${each.kind}.import`);
    if (!domain || status !== 'paused') return false;
    const [found] = await work.connection.query<{ id: string }>(
      "SELECT id FROM imports WHERE organization_id = $1 AND kind = $2 AND status = 'paused' AND job_id = $3",
      [work.organization_id, domain.kind, job_id],
    );
    const row = found && (await lockImport(work, found.id));
    if (row?.status !== 'paused' || row.job_id !== job_id) return false;
    await cancelOwnJob(work, job_id);
    endImport(work, domain, row, { status: 'cancelled' });
    return true;
  };
}

/** Undoes what an import wrote, in a worker. Errors: `not_found`, `invalid_transition`, `expired`. */
export async function revertImport(work: Work, domain: ImportDomain, id: string): Promise<Started> {
  const row = await lockOf(work, domain, id, ['completed', 'cancelled', 'failed'], 'reverting');
  if (row.dry_run)
    throw refusedTransition(
      {
        en: 'A dry run wrote nothing that could be undone',
        ja: '試行では何も書き込まれていないため、取り消すものがありません',
      },
      row,
    );
  const ended = Date.parse(row.finished_at ?? row.created_at);
  if (work.now.getTime() - ended > KEPT) {
    throw new Failure('expired', {
      detail: {
        en: `An import can be undone for ${KEPT_DAYS} days`,
        ja: `インポートを取り消せるのは${KEPT_DAYS}日以内です`,
      },
    });
  }
  const job = createJob(work, { kind: `${domain.kind}.revert`, scope: domain.scope, unit: 'records' });
  work.enqueue(revertImportJob, { import_id: id, job_id: job.id }, { job_id: job.id });
  const none = { deleted_count: 0, restored_count: 0, removed_membership_count: 0, left_count: 0 };
  const revert = row.revert ?? { ...none, from: row.status, after: null };
  return { row: changeImport(work, row, { status: 'reverting', job_id: job.id, revert }), job };
}

async function lockOf(
  work: Work,
  domain: ImportDomain,
  id: string,
  from: readonly ImportStatus[],
  to: ImportStatus,
): Promise<ImportRecord> {
  const row = await lockImport(work, id, domain.kind);
  work.precondition(row);
  if (from.includes(row.status)) return row;
  throw refusedTransition(
    {
      en: `An import that is ${row.status} cannot become ${to}; ${from.join(', ')} can`,
      ja: `状態が ${row.status} のインポートは ${to} にできません。できるのは ${from.join('、')} のときです`,
    },
    row,
  );
}

function refusedTransition(detail: Text, { status }: ImportRecord): Failure {
  return new Failure('invalid_transition', { detail, members: { current_status: status } });
}

/** The job ends with the work on it; one that was cancelled by itself has ended already. */
async function endJob(work: Work, { job_id }: ImportRecord): Promise<void> {
  if (job_id === null) return;
  const { status } = await jobById(work, job_id);
  if (status === 'queued' || status === 'running' || status === 'paused') await cancelJob(work, job_id);
}

function listOf(options: CommonOptions & { list_id?: string }): string | null {
  return options.list_id ?? null;
}

function zeroCounts(): Pick<ImportRecord, `${(typeof outcomes)[number]}_count`> {
  const zeros = outcomes.map((name) => [`${name}_count`, 0]);
  return Object.fromEntries(zeros) as Pick<ImportRecord, `${(typeof outcomes)[number]}_count`>;
}
