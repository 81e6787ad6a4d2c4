import type { Prefix } from '../../kernel/id.ts';
import type { DomainName, Grant } from '../../kernel/scope.ts';
import type { Exporter } from '../exports/exporter.ts';
import type { RecordAction, RecordActions } from './action.ts';

/** What can be done to many records of one kind by one call. */
export type Batch = {
  /** `<domain>.<resource>`: what the IDs of its calls begin with, and the kind of its jobs. */
  name: DomainName;
  /** What the IDs of its records begin with. */
  prefix: Prefix;
  /** The list that a filter chooses records of. */
  list: Exporter['list'];
  /** Who sees its jobs beside who asked, where that is not for all who hold the action's scope: not all see each record. */
  job_scope?: Grant;
  /** Its actions by their names. */
  actions: RecordActions;
};

/** Declares a batch. The types of its actions' bodies are known to the actions alone. */
export function batch(declared: Omit<Batch, 'actions'> & { actions: Record<string, unknown> }): Batch {
  return { ...declared, actions: declared.actions as Record<string, RecordAction> };
}
