import { inWork } from '../../../shared/db/in-work.ts';
import type { Connection } from '../../../shared/kernel/connection.ts';
import { Failure } from '../../../shared/kernel/failure.ts';
import type { Reader } from '../../../shared/kernel/reader.ts';
import type { JobFile } from '../../../shared/platform/jobs/files.ts';
import {
  type Content,
  type GeneratedFile,
  generatedByJob,
  generatedFile,
  generateOnce,
} from '../../../shared/platform/jobs/generated.ts';
import type { NewJob } from '../../../shared/platform/jobs/operations.ts';
import type { JobResource } from '../../../shared/platform/jobs/record.ts';
import type { ApiContext } from '../../context.ts';
import { acceptedAs, prefersAsync } from '../accepted.ts';
import { type AccessDeclaration, scopesOf } from '../access.ts';
import type { ListEndpoint } from '../list.ts';
import type { ReportEndpoint } from '../reports.ts';
import { type Answered, answerOf, organizationOf, type Ran, type TimedCall } from '../run-endpoint.ts';
import { type Generated, type GeneratedEndpoint, isContent } from './declarations.ts';

/**
 * Answers the file that a worker makes: at once when it is there, when it is made in time, or with the job. Who asks
 * for the same content at the same time waits for the same job, without a connection to the database.
 */
export async function runGenerated(
  context: ApiContext,
  endpoint: GeneratedEndpoint,
  call: TimedCall,
): Promise<Ran> {
  const content = await withReader(context, call, (reader) => endpoint.handle(call.input, reader));
  return contentAnswer(context, endpoint, endpoint.generates, content, call);
}

/** Answers a list or a report as JSON, or as the file that it is asked to be. */
export async function runListOrReport(
  context: ApiContext,
  endpoint: ListEndpoint | ReportEndpoint,
  call: TimedCall,
): Promise<Ran> {
  const handled = await withReader(context, call, (reader) => endpoint.handle(call.input, reader));
  if (!isContent(handled)) return { answer: answerOf(endpoint, handled), replayed: false };
  if (!endpoint.generates) throw new Error(`${endpoint.id} answered a file, which it does not declare`);
  return contentAnswer(context, endpoint, endpoint.generates, handled, call);
}

function withReader<T>(
  { database }: ApiContext,
  { caller, signal }: Pick<TimedCall, 'caller' | 'signal'>,
  run: (reader: Reader) => Promise<T>,
): Promise<T> {
  const read = (connection: Connection) => run({ ...caller, connection });
  return database.withConnection(organizationOf(caller), read, signal);
}

async function contentAnswer(
  context: ApiContext,
  declared: AccessDeclaration,
  { kind, unit, has_whole_hash }: Generated,
  content: Content,
  call: TimedCall,
): Promise<Ran> {
  const [scope = '*' as const] = scopesOf(declared);
  const waits = !prefersAsync(call.request);
  const made = await madeInTime(context, call, { content, making: { kind, unit, scope }, waits });
  if (!('file' in made)) return accepted(made.job);
  if (!has_whole_hash) return made;
  return { file: { ...made.file, delivery: { etag: `"sha256:${made.file.sha256}"` } } };
}

type Asked = { content: Content; making: NewJob; waits: boolean };

/**
 * The file of some content: at once where it is there, when a worker made it in time, or else the job that makes it. Errors:
 * `unavailable` where the job failed.
 */
export async function madeInTime(
  context: ApiContext,
  call: Pick<TimedCall, 'caller' | 'signal'>,
  { content, making, waits }: Asked,
): Promise<{ file: JobFile } | { job: JobResource }> {
  if ('file' in content) return { file: content.file };
  const { time_limits, notices, ending } = context;
  const { key, enqueue } = content;
  const at_once = await withReader(context, call, (reader) => generatedFile(reader, key));
  if (at_once?.file) return { file: at_once.file };
  const asked = await withReader(context, call, (reader) =>
    inWork(reader, (work) => generateOnce(work, key, making, (job_id) => enqueue(work, job_id))),
  );
  if (asked.file) return { file: asked.file };
  if (!waits) return { job: asked.job };
  // By its job: where rows change while the file is made, its key names none.
  const known = () => withReader(context, call, (reader) => generatedByJob(reader, asked.job.id));
  const until = performance.now() + time_limits.generating;
  const watch = notices.watch(asked.job.id);
  try {
    for (;;) {
      const now = await known();
      if (now?.file) return { file: now.file };
      if (now && isLost(now)) throw notMade(now.job);
      const left = until - performance.now();
      if (left <= 0 || !(await watch.changed(left, ending))) return { job: now?.job ?? asked.job };
    }
  } finally {
    watch.end();
  }
}

function accepted(job: JobResource): Answered {
  return { answer: acceptedAs(job), replayed: false };
}

/** The job has ended without a file. */
function isLost({ job }: GeneratedFile): boolean {
  return job.status === 'failed' || job.status === 'cancelled' || job.status === 'succeeded';
}

function notMade(job: JobResource): Failure {
  return new Failure('unavailable', {
    detail: {
      en: `The file is not available: ${job.error?.message ?? `its job is ${job.status}`}`,
      ja: `ファイルを取得できません：${job.error?.message ?? `ジョブの状態は ${job.status} です`}`,
    },
    headers: { 'Retry-After': '5' },
    members: { job_id: job.id },
  });
}
