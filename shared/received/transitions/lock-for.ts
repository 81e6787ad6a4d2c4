import type { Work } from '../../kernel/work.ts';
import { receivedContext } from '../context.ts';
import type { ReceivedKind } from '../documents/kinds.ts';
import { documentForUpdate } from '../documents/queries.ts';
import type { ReceivedDocument } from '../documents/record.ts';
import { askingIn, standingOf } from '../documents/shown.ts';
import { requireTransition } from './allowed.ts';
import { requireComplete } from './complete.ts';
import type { Call } from './conditions.ts';
import type { ReceivedAction } from './table.ts';

/** What a call says that a condition of the table asks about. */
type Said = Omit<Call, 'today'>;

/**
 * A document locked for an action, as the caller last saw it where they say so, in a status that takes it. Errors:
 * `not_found`, `precondition_failed`, and those of the table of transitions.
 */
export async function lockFor(
  work: Work,
  kind: ReceivedKind,
  id: string,
  action: ReceivedAction,
  said?: Said,
): Promise<ReceivedDocument> {
  const document = await documentForUpdate(work, kind, id);
  work.precondition(document);
  await requireAction(work, document, action, said);
  return document;
}

/**
 * The same for a decision, which a document must be complete for: that is told before who may decide, and that before what
 * the decision itself is refused by. Errors: those of `lockFor`, `incomplete`.
 */
export async function lockToDecide(
  work: Work,
  kind: ReceivedKind,
  id: string,
  action: ReceivedAction,
): Promise<ReceivedDocument> {
  const document = await documentForUpdate(work, kind, id);
  work.precondition(document);
  const context = await receivedContext(work);
  const standing = standingOf(document, context);
  requireTransition(standing, action, { ...askingIn(context), four_eyes: false });
  requireComplete({ ...document, line_items: document.lines });
  requireTransition(standing, action, askingIn(context));
  return document;
}

/** Errors: those of the table of transitions. */
export async function requireAction(
  work: Work,
  document: ReceivedDocument,
  action: ReceivedAction,
  said?: Said,
): Promise<void> {
  const context = await receivedContext(work);
  const call = said && { ...said, today: context.today };
  requireTransition(standingOf(document, context), action, askingIn(context), call);
}
