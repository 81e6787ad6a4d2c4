import type { DocumentContext } from '../documents/context.ts';
import type { DocumentRecord } from '../documents/record.ts';
import { actionsFor } from './allowed.ts';
import type { Asking } from './conditions.ts';
import type { DocumentAction } from './table.ts';

/** Who asks, from the context of the request or job. */
export function askingIn({ grants, settings }: Pick<DocumentContext, 'grants' | 'settings'>): Asking {
  return { grants, approval_required: settings.approval_required };
}

/** What the caller may do with a document now. */
export function availableActions(
  record: DocumentRecord,
  context: Pick<DocumentContext, 'grants' | 'settings'>,
): DocumentAction[] {
  return actionsFor(record, askingIn(context));
}
