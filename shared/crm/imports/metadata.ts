import { Failure } from '../../kernel/failure.ts';
import { type Metadata, type MetadataChanges, metadataAfter } from '../../kernel/own-keys.ts';
import type { Fault, Values } from './row.ts';

/** The metadata of a record after a row was taken. Faults: `too_many`. */
export function metadataOf(before: Metadata, { metadata }: Values): Metadata | Fault {
  try {
    return metadataAfter(before, metadata as MetadataChanges | undefined);
  } catch (error) {
    const [fault] = error instanceof Failure ? (error.details.errors ?? []) : [];
    if (!fault) throw error;
    return { field: 'metadata', code: fault.code, message: fault.message };
  }
}
