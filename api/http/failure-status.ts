import { failures } from '../../shared/domains.ts';
import type { Failure } from '../../shared/kernel/failure.ts';

/** The HTTP status of a failure, from the table of failures. */
export function statusOf({ code }: Failure): number {
  return failures[code].status;
}
