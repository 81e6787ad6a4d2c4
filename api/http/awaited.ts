import { failures } from '../../shared/domains.ts';
import { Failure } from '../../shared/kernel/failure.ts';
import type { FailureCode } from '../../shared/kernel/failures.ts';
import type { Reader } from '../../shared/kernel/reader.ts';
import { jobById } from '../../shared/platform/jobs/queries.ts';
import type { JobResource } from '../../shared/platform/jobs/record.ts';
import type { ApiContext } from '../context.ts';
import { acceptedAs, isUnderWay, prefersAsync } from './accepted.ts';
import type { WriteEndpoint } from './endpoint.ts';
import { type Answered, answerOf, organizationOf, runWrite, type TimedCall } from './run-endpoint.ts';

/**
 * Answers a write. Where it goes on in a job whose end is declared, the caller waits for that as long as for a file,
 * without a connection. The kept answer of an Idempotency-Key is the job, so who asks again waits for the same one.
 */
export async function runAwaited(
  context: ApiContext,
  endpoint: WriteEndpoint,
  call: TimedCall,
): Promise<Answered> {
  const acted = await runWrite(context, endpoint, call);
  if (!endpoint.awaited || acted.answer.status !== 202 || prefersAsync(call.request)) return acted;
  const { id } = (acted.answer.body as { job: JobResource }).job;
  const { time_limits, notices, ending } = context;
  const until = performance.now() + time_limits.generating;
  const watch = notices.watch(id);
  try {
    for (;;) {
      const now = await withReader(context, call, (reader) => jobById(reader, id));
      if (now.status === 'succeeded')
        return { ...acted, answer: await answerOfJob(context, endpoint, call, now) };
      if (!isUnderWay(now)) throw failureOf(now);
      const left = until - performance.now();
      if (left <= 0 || !(await watch.changed(left, ending))) return { ...acted, answer: acceptedAs(now) };
    }
  } finally {
    watch.end();
  }
}

async function answerOfJob(context: ApiContext, endpoint: WriteEndpoint, call: TimedCall, job: JobResource) {
  const handled = await withReader(context, call, (reader) => endpoint.awaited!(job.result!, reader));
  return answerOf(endpoint, handled);
}

function withReader<T>(
  { database }: ApiContext,
  { caller, signal }: TimedCall,
  run: (reader: Reader) => Promise<T>,
): Promise<T> {
  return database.withConnection(
    organizationOf(caller),
    (connection) => run({ ...caller, connection }),
    signal,
  );
}

/**
 * What a call answers whose job has ended otherwise: the refusal that the job met, with what that names (`result`), or that
 * it came to nothing.
 */
function failureOf({ id, status, error, result }: JobResource): Failure {
  const message = error?.message ?? `its job is ${status}`;
  const known = error && error.code in failures && failures[error.code as FailureCode].status < 500;
  if (known) {
    return new Failure(error.code as FailureCode, {
      detail: { en: message, ja: failures[error.code as FailureCode].title.ja },
      members: { ...result, job_id: id },
    });
  }
  return new Failure('unavailable', {
    detail: { en: `It was not done: ${message}`, ja: `処理できませんでした：${message}` },
    headers: { 'Retry-After': '5' },
    members: { job_id: id },
  });
}
