import type { FailureCode } from '../../kernel/failures.ts';
import { rulesOf } from '../../platform/transitions/rules.ts';
import type { TransitionTable } from '../../platform/transitions/table.ts';
import { type DocumentKind, kinds } from '../documents/kinds.ts';
import {
  type Asking,
  type Call,
  type CallNeed,
  callNeeds,
  type Need,
  needs,
  type Standing,
} from './conditions.ts';
import { type DocumentAction, documentActions, type Transition, transitions } from './table.ts';

/** The life of documents: from it follow what can be done, the refusals, the codes of the reference and the guide. */
export const documentTransitions: TransitionTable<
  typeof kinds,
  DocumentAction,
  Need,
  CallNeed,
  Standing,
  Asking,
  Call
> = { kinds, actions: documentActions, needs, call_needs: callNeeds, rows: transitions };

const rules = rulesOf(documentTransitions);

/** What can be done to a document now, in the order of the actions. */
export function actionsFor(standing: Standing, asking: Asking): DocumentAction[] {
  return rules.available(standing, asking);
}

/**
 * The transition that an action is, for a document that was locked; `call` is what the body says where a condition asks
 * about that. Errors: `invalid_transition` and the codes of the table, each with `current_status` and
 * `available_actions`; those of the conditions of calls; `insufficient_scope` where the status asks for more than the
 * action does elsewhere.
 */
export function requireTransition(
  standing: Standing,
  action: DocumentAction,
  asking: Asking,
  call?: Call,
): Transition {
  return rules.require(standing, action, asking, call);
}

/** The codes with which the table refuses an action on documents of a kind. */
export function refusalsOf(kind: DocumentKind, action: DocumentAction): FailureCode[] {
  return rules.codes(kind, action);
}
