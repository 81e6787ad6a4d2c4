import type { FailureCode } from '../../kernel/failures.ts';
import { rulesOf } from '../../platform/transitions/rules.ts';
import type { TransitionTable } from '../../platform/transitions/table.ts';
import { kinds, type ReceivedKind } from '../documents/kinds.ts';
import {
  type Asking,
  type Call,
  type CallNeed,
  callNeeds,
  type Need,
  needs,
  type Standing,
} from './conditions.ts';
import { type ReceivedAction, receivedActions, type Transition, transitions } from './table.ts';

/** The life of received documents: from it follow what can be done, the refusals, the codes of the reference and the guide. */
export const receivedTransitions: TransitionTable<
  typeof kinds,
  ReceivedAction,
  Need,
  CallNeed,
  Standing,
  Asking,
  Call
> = { kinds, actions: receivedActions, needs, call_needs: callNeeds, rows: transitions };

const rules = rulesOf(receivedTransitions);

/** What can be done to a received document now, in the order of the actions. */
export function actionsFor(standing: Standing, asking: Asking): ReceivedAction[] {
  return rules.available(standing, asking);
}

/**
 * The transition that an action is, for a received document that was locked; `call` is what the body says where a
 * condition asks about that. Errors: `invalid_transition` and the codes of the table, each with `current_status` and
 * `available_actions`; those of the conditions of calls.
 */
export function requireTransition(
  standing: Standing,
  action: ReceivedAction,
  asking: Asking,
  call?: Call,
): Transition {
  return rules.require(standing, action, asking, call);
}

/** The codes with which the table refuses an action on received documents of a kind. */
export function refusalsOf(kind: ReceivedKind, action: ReceivedAction): FailureCode[] {
  return rules.codes(kind, action);
}
