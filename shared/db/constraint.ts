import { Failure } from '../kernel/failure.ts';
import type { Text } from '../kernel/language.ts';
import type { Reader } from '../kernel/reader.ts';
import type { RecordKind } from '../kernel/record-kind.ts';
import type { Scope } from '../kernel/scope.ts';
import { pathOf, unavailableBy } from './outage.ts';

const refusals = new Map<string, () => Failure>();

/**
 * Says what the breach of a constraint means to the caller. Stands beside the model whose table has the constraint.
 */
export function refusesBy(constraint: string, failure: () => Failure): void {
  refusals.set(constraint, failure);
}

/** A key that only one record of an organization may have. */
export type UniqueKey = {
  table: string;
  /** What reads the records of the table: without it a refusal does not name the one that has the key. */
  read_by: Scope;
  /** Where not every reader sees every record: whether who asks sees the one with this ID. */
  sees?: (reader: Reader, id: string) => Promise<boolean>;
  /** The columns that hold it, beside the organization's. */
  columns: readonly string[];
  /** Where a body has it, and what a caller is told. */
  path: string;
  message: Text;
  /** For records that leave their keys to others when they are merged: their kind. */
  kind?: RecordKind;
};

const unique_keys = new Map<string, UniqueKey>();

/**
 * Declares the unique index of a key, beside the model whose table has it: its breach is 409 `already_exists`, which
 * names the record that has the key.
 */
export function uniqueKey(constraint: string, key: UniqueKey): void {
  unique_keys.set(constraint, key);
  refusesBy(constraint, () => alreadyExists(key.path, key.message));
}

/** The key whose unique index an error breaches, or undefined. */
export function uniqueKeyOf(error: unknown): UniqueKey | undefined {
  return unique_keys.get(pathOf(error, 'constraint') ?? '');
}

/** A value that another record of the organization has already: 409 at its place in the body. */
export function alreadyExists(path: string, message: Text): Failure {
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
  if (isWaitedFor(error) || isTransient(error)) {
    return new Failure('unavailable', { headers: { 'Retry-After': '1' }, cause: error });
  }
  return unavailableBy(error) ?? new Failure('internal_error', { cause: error });
}

/** Whether a statement waited longer than it may: for its end (57014) or for a lock (55P03). */
function isWaitedFor(error: unknown): boolean {
  const code = pathOf(error, 'code');
  return code === '57014' || code === '55P03';
}

/** Whether the transaction lost against another one and may simply be run again. */
export function isTransient(error: unknown): boolean {
  const code = pathOf(error, 'code');
  return code === '40001' || code === '40P01';
}

/**
 * Whether a row that the transaction refers to was removed, or one that it removes was referred to, after it had been read
 * (23503 without a declared meaning): run again, the transaction reads what is there now and refuses by that.
 */
export function isOvertaken(error: unknown): boolean {
  return pathOf(error, 'code') === '23503' && !refusals.has(pathOf(error, 'constraint') ?? '');
}
