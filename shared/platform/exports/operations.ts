import { invalidAll } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Window } from '../../kernel/window.ts';
import type { Work } from '../../kernel/work.ts';
import { createJob } from '../jobs/operations.ts';
import type { JobResource } from '../jobs/record.ts';
import { unknownColumns } from './columns.ts';
import type { Exporter } from './exporter.ts';
import { exportJob } from './jobs.ts';
import { ExportModel, type ExportRequest } from './record.ts';

/** Asks a worker to write a list to a file. Errors: `validation_failed` at /columns/n. */
export async function requestExport(
  work: Work,
  exporter: Exporter,
  asked: Omit<ExportRequest, 'exporter' | 'asking'>,
): Promise<JobResource> {
  if (asked.columns !== null) await refuseUnknown(work, exporter, asked.columns);
  const { is_personal, name } = exporter;
  const scope = is_personal ? '*' : exporter.scope;
  const job = createJob(work, { kind: `${name}.export`, scope, unit: 'rows' });
  const { type, id, user_id } = work.actor;
  const request: ExportRequest = {
    exporter: name,
    ...asked,
    ...(is_personal && { asking: { type, id, user_id } }),
  };
  work.insert(ExportModel, { id: job.id, request, created_at: work.now.toISOString() });
  work.enqueue(exportJob, { job_id: job.id }, { job_id: job.id });
  return job;
}

async function refuseUnknown(work: Work, exporter: Exporter, columns: readonly string[]): Promise<void> {
  const unknown = await unknownColumns(work, exporter, columns);
  if (unknown.length === 0) return;
  const names = exporter.columns.map(({ name }) => name);
  if (exporter.keyed) names.push(exporter.keyed.name, `${exporter.keyed.name}.<key>`);
  throw invalidAll(
    unknown.map((place) => ({
      in: 'body' as const,
      path: `/columns/${place}`,
      code: 'unknown_column',
      message: {
        en: `columns.${place} is no column of this list; it has ${names.join(', ')}`,
        ja: `columns.${place} はこの一覧の列ではありません。指定できる列：${names.join('、')}`,
      },
    })),
  );
}

/** What was asked for; null when the export has ended. */
export async function exportRequest(reader: Reader, job_id: string): Promise<ExportRequest | null> {
  const [row] = (await ExportModel.table(reader).where({ id: job_id }).select('request')) as {
    request: ExportRequest;
  }[];
  return row?.request ?? null;
}

/** Forgets what was asked for: the export has ended. */
export function endExport(work: Work, job_id: string): void {
  work.remove(ExportModel, job_id);
}

/** The whole list in the asked order. */
export function windowOf({
  sort,
  updated_after = null,
  updated_before = null,
  ...asked
}: ExportRequest): Window {
  return {
    form: 'cursor',
    limit: 0,
    offset: 0,
    starting_after: null,
    count: false,
    sort,
    created_after: asked.created_after,
    created_before: asked.created_before,
    updated_after,
    updated_before,
  };
}
