const SERIALIZATION_FAILURE = '40001';

/** What a chunk fails with that another write came before: the chunk is run again, and sees what was written. */
export function overtaken(cause?: unknown): Error {
  return Object.assign(new Error('Another write was first', { cause }), { code: SERIALIZATION_FAILURE });
}

/**
 * Every record that was named must be among those that were locked. One that is not was removed while its lock was waited
 * for; if a merge removed it, its key leads to the record that stayed by now.
 */
export function assertLocked(named: Iterable<string>, locked: readonly { id: string }[]): void {
  const ids = new Set(locked.map(({ id }) => id));
  for (const id of named) if (!ids.has(id)) throw overtaken();
}
