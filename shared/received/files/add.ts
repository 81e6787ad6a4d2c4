import type { Work } from '../../kernel/work.ts';
import { receivedContext } from '../context.ts';
import type { ReceivedKind } from '../documents/kinds.ts';
import { documentForUpdate } from '../documents/queries.ts';
import type { ReceivedDocument } from '../documents/record.ts';
import { askingIn, standingOf } from '../documents/shown.ts';
import { documentChanged } from '../documents/write.ts';
import { requireTransition } from '../transitions/allowed.ts';
import type { ArrivedFile } from './arrive.ts';
import { keepFiles } from './keep.ts';

/** How files are added: in the place of one, and though another document of the kind has them. */
export type Adding = { supersedes?: string | undefined; allow_duplicate?: boolean | undefined };

/**
 * Adds files to a document that is not rejected; before the decision on it the first may take the place of another one. Errors:
 * `not_found`, `precondition_failed`, `invalid_transition`, `frozen`, `duplicate_file`, and those of keeping files.
 */
export async function addFiles(
  work: Work,
  kind: ReceivedKind,
  id: string,
  arrived: readonly ArrivedFile[],
  { supersedes, allow_duplicate = false }: Adding,
): Promise<ReceivedDocument> {
  const before = await documentForUpdate(work, kind, id);
  work.precondition(before);
  const context = await receivedContext(work);
  const call = { today: context.today, supersedes: supersedes ?? null };
  requireTransition(standingOf(before, context), 'files', askingIn(context), call);
  const files = keepFiles(work, before, arrived, supersedes);
  return documentChanged(work, before, { ...before, files }, { allow_duplicate });
}
