import type { DocumentContext } from '../documents/context.ts';
import type { DocumentRecord } from '../documents/record.ts';
import { type Asking, actionsFor, type Standing } from './allowed.ts';
import type { DocumentAction } from './table.ts';

/** What decides what can be done to a document, from its record. */
export function standingOf(record: DocumentRecord): Standing {
  const { kind, status, converted_to, has_open_quantity, open_revision_id, credited, balance } = record;
  return { kind, status, converted_to, has_open_quantity, open_revision_id, credited, balance };
}

/** Who asks, from the context of the request or job. */
export function askingIn({ grants, settings }: Pick<DocumentContext, 'grants' | 'settings'>): Asking {
  return { grants, approval_required: settings.approval_required };
}

/** What the caller may do with a document now. */
export function availableActions(
  record: DocumentRecord,
  context: Pick<DocumentContext, 'grants' | 'settings'>,
): DocumentAction[] {
  return actionsFor(standingOf(record), askingIn(context));
}
