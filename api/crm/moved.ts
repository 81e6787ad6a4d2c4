import { survivorOf } from '../../shared/crm/aliases.ts';
import { Failure } from '../../shared/kernel/failure.ts';
import type { Reader } from '../../shared/kernel/reader.ts';
import { Answer } from '../http/declaration.ts';

/**
 * Answers a record, or, when it was merged into another, 301 to that one below `collection`, with the survivor as the
 * body for those who do not follow. Errors: `not_found`.
 */
export async function orMoved<Body>(
  reader: Reader,
  collection: string,
  id: string,
  answerWith: (id: string) => Promise<Body>,
): Promise<Body | Answer<Body>> {
  try {
    return await answerWith(id);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not_found') throw error;
    const survivor_id = await survivorOf(reader, id);
    if (survivor_id === null) throw error;
    return new Answer(301, await answerWith(survivor_id), { Location: `${collection}/${survivor_id}` });
  }
}
