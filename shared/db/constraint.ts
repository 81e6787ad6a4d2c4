import { Failure } from '../kernel/failure.ts';
import { pathOf, unavailableBy } from './outage.ts';

const refusals = new Map<string, () => Failure>();

/**
 * Says what the breach of a constraint means to the caller. Stands beside the model whose table has the constraint.
 */
export function refusesBy(constraint: string, failure: () => Failure): void {
  refusals.set(constraint, failure);
}

/** A value that another record of the organization has already: 409 at its place in the body. */
export function alreadyExists(path: string, message: string): Failure {
  return new Failure('already_exists', {
    detail: message,
    errors: [{ in: 'body', path, code: 'already_exists', message }],
  });
}

/** Any error as a failure: the declared meaning of a constraint, `unavailable`, or `internal_error`. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const constraint = pathOf(error, 'constraint');
  const declared = constraint === undefined ? undefined : refusals.get(constraint);
  if (declared) return declared();
  if (pathOf(error, 'code') === QUERY_CANCELED) {
    return new Failure('unavailable', { headers: { 'Retry-After': '1' }, cause: error });
  }
  return unavailableBy(error) ?? new Failure('internal_error', { cause: error });
}

const QUERY_CANCELED = '57014';

/** Whether the transaction lost against another one and may simply be run again. */
export function isTransient(error: unknown): boolean {
  const code = pathOf(error, 'code');
  return code === '40001' || code === '40P01';
}
