import type { Logger } from 'pino';
import { pathOf } from '../../shared/db/outage.ts';
import type { Failure } from '../../shared/kernel/failure.ts';
import { noteTrouble } from '../../shared/platform/operators/trouble.ts';
import { StoredFileMissing } from '../../shared/platform/storage/storage.ts';
import { statusOf } from './failure-status.ts';

/** Milliseconds without a further fault of its kind after which a further one is told anew. */
const OVER = 5_000;

type Outage = { count: number; timer: NodeJS.Timeout };

/** The outages of each process that are under way, by its log and then by their reason. */
const outages = new WeakMap<Logger, Map<string, Outage>>();

/**
 * Writes the whole of a fault of the service into the log, under the ID that the caller gets. A database or store that
 * does not answer fails every request: its reason is written once, and how many failed once none has for a while, which may
 * be its end or that nobody asked. What is away is noted for operators each time. A refusal that is expected is no fault.
 */
export function logFault(log: Logger, request_id: string, failure: Failure, now: Date): void {
  const { code, cause, details } = failure;
  const { trouble, is_expected } = details;
  if (is_expected) return;
  if (trouble) noteTrouble(trouble, now);
  else if (statusOf(failure) < 500) return;
  if (!trouble && code !== 'unavailable') {
    log.error({ request_id, code, err: cause ?? failure });
    return;
  }
  // Each file that the store does not have is named; an outage is one, in whatever words it comes.
  const reason = cause instanceof StoredFileMissing ? cause.message : (trouble?.kind ?? code);
  const known = outages.get(log) ?? new Map<string, Outage>();
  outages.set(log, known);
  const outage = known.get(reason);
  if (outage) {
    outage.count += 1;
    outage.timer.refresh();
    return;
  }
  const fields = { request_id, code, trouble: trouble?.kind, ...causeOf(cause ?? failure) };
  log.error(fields, trouble?.sentence ?? 'Requests fail: a dependency is unavailable');
  const timer = setTimeout(() => {
    const { count } = known.get(reason)!;
    known.delete(reason);
    log.warn({ code, trouble: trouble?.kind, count }, 'No request has failed this way for five seconds');
  }, OVER).unref();
  known.set(reason, { count: 1, timer });
}

/** The server's own words, which hold no values of records for these errors. */
function causeOf(cause: unknown): { sqlstate?: unknown; reason: string } {
  if (!(cause instanceof Error)) return { reason: String(cause) };
  const nested = cause instanceof AggregateError ? cause.errors.map((error) => String(error?.message)) : [];
  return { sqlstate: pathOf(cause, 'code'), reason: [cause.message, ...nested].filter(Boolean).join(': ') };
}
