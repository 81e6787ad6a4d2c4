import type { Reader } from '../../kernel/reader.ts';
import { documentsById } from '../documents/queries.ts';
import type { ReceivedDocument } from '../documents/record.ts';
import { changesWithOthers, withCurrentMatches } from './current.ts';

/**
 * Documents that were read without their lines, with the matches that are still open as they are now; the lines of these
 * alone are read for it.
 */
export async function withMatchesOfPage(
  reader: Reader,
  documents: readonly ReceivedDocument[],
): Promise<ReceivedDocument[]> {
  const ids = documents.filter(changesWithOthers).map(({ id }) => id);
  if (ids.length === 0) return [...documents];
  const whole = await documentsById(reader, ids, { whole: true });
  return withCurrentMatches(
    reader,
    documents.map((document) => whole.get(document.id) ?? document),
  );
}
