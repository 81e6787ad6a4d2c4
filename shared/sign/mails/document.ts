import { Failure } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { documentForUpdate } from '../documents/queries.ts';
import type { StoredDocument } from '../documents/rows.ts';

/** A document that the work locks, for what is done after the request; null where it has been erased meanwhile. */
export async function storedForMail(work: Work, id: string): Promise<StoredDocument | null> {
  try {
    return await documentForUpdate(work, id);
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return null;
    throw error;
  }
}
