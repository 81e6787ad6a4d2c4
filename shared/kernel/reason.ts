import { Failure } from './failure.ts';

/** What went wrong, in words for the log and for operators: with the cause that a Failure keeps from its callers. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const told = error.message || error.name;
  if (error instanceof AggregateError && error.errors.length > 0) {
    // A host with several addresses that all refuse is one error without words around those of each.
    if (!error.message) return error.errors.map(reasonOf).join(', ');
    return `${told}: ${reasonOf(error.errors[0])}`;
  }
  return error instanceof Failure && error.cause ? `${told}: ${reasonOf(error.cause)}` : told;
}
