import { inWork } from '../../../shared/db/in-work.ts';
import type { Connection } from '../../../shared/kernel/connection.ts';
import { Failure } from '../../../shared/kernel/failure.ts';
import type { Reader } from '../../../shared/kernel/reader.ts';
import { type GeneratedFile, generatedFile, generateOnce } from '../../../shared/platform/jobs/generated.ts';
import type { JobResource } from '../../../shared/platform/jobs/record.ts';
import type { ApiContext } from '../../context.ts';
import { Answer, type ReadEndpoint } from '../endpoint.ts';
import type { Request } from '../request.ts';
import { type Answered, type Call, organizationOf, type Ran, runRead } from '../run-endpoint.ts';
import type { GeneratedEndpoint } from './declarations.ts';

/**
 * Answers the file that a worker makes: at once when it is there, when it is made in time, or with the job. Who asks
 * for the same content at the same time waits for the same job, without a connection to the database.
 */
export async function actGenerated(
  context: ApiContext,
  endpoint: GeneratedEndpoint | ReadEndpoint,
  call: Call,
): Promise<Ran> {
  const { database, time_limits, notices, ending } = context;
  const { input, caller, request, signal } = call;
  const { generates } = endpoint;
  if (!generates) throw new Error(`${endpoint.id} makes no file`);
  const withReader = <T>(run: (reader: Reader) => Promise<T>) =>
    database.withConnection(
      organizationOf(caller),
      (connection: Connection) => run({ ...caller, connection }),
      signal,
    );
  const content = await withReader((reader) => generates.content(input, reader));
  if (content === null) {
    if (endpoint.kind === 'generated') throw new Error(`${endpoint.id} has no other answer than a file`);
    return runRead(context, endpoint, call);
  }
  if ('file' in content) return { file: content.file };
  const { key, enqueue } = content;
  const at_once = await withReader((reader) => generatedFile(reader, key));
  if (at_once?.file) return { file: at_once.file };
  const asked = await withReader((reader) =>
    inWork(reader, (work) => {
      const { kind, unit } = generates;
      const scope = endpoint.scope.includes(':') ? (endpoint.scope as 'jobs:read') : '*';
      return generateOnce(work, key, { kind, unit, scope }, (job_id) => enqueue(work, job_id));
    }),
  );
  if (asked.file) return { file: asked.file };
  if (prefersAsync(request)) {
    request.set('Preference-Applied', 'respond-async');
    return accepted(asked.job);
  }
  const until = performance.now() + time_limits.generating;
  const watch = notices.watch(asked.job.id);
  try {
    for (;;) {
      const now = await withReader((reader) => generatedFile(reader, key));
      if (now?.file) return { file: now.file };
      if (now && isLost(now)) throw notMade(now.job);
      const left = until - performance.now();
      if (left <= 0 || !(await watch.changed(left, ending))) return accepted(now?.job ?? asked.job);
    }
  } finally {
    watch.end();
  }
}

function accepted(job: JobResource): Answered {
  return {
    answer: new Answer(202, { job }, { Location: `/api/v1/jobs/${job.id}` }),
    replayed: false,
  };
}

/** RFC 7240. */
function prefersAsync(request: Request): boolean {
  return request
    .get('Prefer')
    .split(/[,;]/)
    .some((preference) => preference.trim().toLowerCase() === 'respond-async');
}

/** The job has ended, and no file came of it. */
function isLost({ job }: GeneratedFile): boolean {
  return job.status === 'failed' || job.status === 'cancelled' || job.status === 'succeeded';
}

function notMade(job: JobResource): Failure {
  return new Failure('unavailable', {
    detail: `The file is not available: ${job.error?.message ?? `its job is ${job.status}`}`,
    headers: { 'Retry-After': '5' },
    members: { job_id: job.id },
  });
}
