import type { Work } from '../../kernel/work.ts';
import { contextOf } from '../documents/context.ts';
import type { DocumentKind } from '../documents/kinds.ts';
import type { DocumentRecord } from '../documents/record.ts';
import { lockDocument } from '../documents/rows.ts';
import { requireTransition } from './allowed.ts';
import type { Call } from './conditions.ts';
import { askingIn } from './standing.ts';
import type { DocumentAction } from './table.ts';

/** What the body of a call says that a condition of the table asks about. */
type Said = Omit<Call, 'today'>;

/**
 * A document locked for an action, as the caller last saw it where they say so, in a status that takes it. Errors:
 * `not_found`, `precondition_failed`, and those of the table of transitions.
 */
export async function lockFor(
  work: Work,
  kind: DocumentKind,
  id: string,
  action: DocumentAction,
  said?: Said,
): Promise<DocumentRecord> {
  const record = await lockDocument(work, kind, id);
  work.precondition(record);
  await requireAction(work, record, action, said);
  return record;
}

/** Errors: those of the table of transitions. */
export async function requireAction(
  work: Work,
  record: DocumentRecord,
  action: DocumentAction,
  said?: Said,
): Promise<void> {
  const context = await contextOf(work);
  requireTransition(record, action, askingIn(context), said && { ...said, today: context.today });
}
