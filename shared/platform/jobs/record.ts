import { z } from 'zod';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { id, timestamp } from '../../kernel/schema.ts';
import type { Grant } from '../../kernel/scope.ts';

export const jobStatuses = ['queued', 'running', 'paused', 'succeeded', 'failed', 'cancelled'] as const;

export type JobStatus = (typeof jobStatuses)[number];

/** How far a job is. */
export const JobProgress = z
  .strictObject({
    done: z.int(),
    total: z.int().nullable().describe('null while it is not known.'),
    unit: z
      .string()
      .nullable()
      .describe('What is counted; a job of several parts may count each in another unit.')
      .meta({ examples: ['rows'] }),
  })
  .meta({ id: 'JobProgress' });

/** Work that continues after the answer, as the API shows it. */
export const JobResource = z
  .strictObject({
    id: id('job'),
    object: z.literal('job'),
    kind: z.string().meta({ examples: ['crm.contacts.import'] }),
    status: z
      .enum(jobStatuses)
      .describe('`paused`: what it works for was paused; resuming that goes on with the same job.'),
    progress: JobProgress,
    result: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('What came of it, by kind. A list of jobs leaves out `entries`, which the job itself has.'),
    error: z
      .strictObject({ code: z.string(), message: z.string() })
      .nullable()
      .describe('Why it failed, for people.')
      .meta({ examples: [null] }),
    created_by: id('usr').nullable(),
    created_at: timestamp(),
    started_at: timestamp().nullable(),
    finished_at: timestamp().nullable(),
  })
  .meta({ id: 'Job' });

export type JobResource = z.output<typeof JobResource>;

export type JobRow = {
  id: string;
  kind: string;
  /** Whoever holds this may see the job, besides the one who asked: the scope of the operation that made it. */
  scope: Grant;
  status: JobStatus;
  progress_done: number;
  progress_total: number | null;
  progress_unit: string | null;
  result: Record<string, unknown> | null;
  error: { code: string; message: string } | null;
  /** The person, also where a key of theirs asked. */
  created_by: string | null;
  /** The key or person itself. */
  asked_by: string | null;
  created_at: string;
  updated_at: string;
  started_at: string | null;
  finished_at: string | null;
};

export class JobModel extends TenantModel {
  static override tableName = 'jobs';
  static override jsonAttributes = ['result', 'error'];
}

export const jobFacts = factsOf({ domain: 'platform', entity_type: 'job', computed: ['progress'] });

export const jobColumns = [
  'id',
  'kind',
  'scope',
  'status',
  'progress_done',
  'progress_total',
  'progress_unit',
  'result',
  'error',
  'created_by',
  'asked_by',
  'created_at',
  'updated_at',
  'started_at',
  'finished_at',
] as const;

/** The row as the API shows it. */
export function jobOf(row: JobRow): JobResource {
  const { kind, status, result, error, created_by, created_at, started_at, finished_at } = row;
  return {
    id: row.id,
    object: 'job',
    kind,
    status,
    progress: { done: row.progress_done, total: row.progress_total, unit: row.progress_unit },
    result,
    error,
    created_by,
    created_at,
    started_at,
    finished_at,
  };
}
