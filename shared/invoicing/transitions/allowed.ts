import { Failure } from '../../kernel/failure.ts';
import { allows, type Grant } from '../../kernel/scope.ts';
import { type DocumentKind, kinds } from '../documents/kinds.ts';
import {
  type DocumentAction,
  documentActions,
  type Need,
  needs,
  type Transition,
  transitions,
} from './table.ts';

/** What decides what can be done to a document: its status, and what else a need asks about. */
export type Standing = {
  kind: DocumentKind;
  status: string;
  /** Whether a living document was made of it. */
  is_converted: boolean;
  /** Whether some of its lines can still be invoiced; asked of delivery notes alone. */
  has_open_quantity: boolean;
  /** Whether a draft is there that will replace it. */
  has_open_revision: boolean;
  has_payments: boolean;
  has_credit_notes: boolean;
  /** Yen. */
  balance: bigint;
};

/** Who asks: the scopes of the caller, or null where it is told without regard to anybody; and the settings' rule. */
export type Asking = { grants: readonly Grant[] | null; approval_required: boolean };

/** What can be done to a document now, in the order of the table of actions. */
export function actionsFor(standing: Standing, asking: Asking): DocumentAction[] {
  const open = transitions.filter(
    (transition) =>
      isFrom(transition, standing) &&
      missingNeed(transition, standing, asking) === undefined &&
      transition.scopes.every((scope) => asking.grants === null || allows(asking.grants, scope)),
  );
  return documentActions.filter((action) => open.some((transition) => transition.action === action));
}

/**
 * The transition that an action is, for a document that was locked. The needs of others than `invalid_transition` are
 * for the one who acts to look up and to name. Errors: `invalid_transition` with `current_status` and
 * `available_actions`, `insufficient_scope` where the status asks for more than the action does elsewhere.
 */
export function requireTransition(standing: Standing, action: DocumentAction, asking: Asking): Transition {
  const found = transitions.find(
    (transition) => transition.action === action && isFrom(transition, standing),
  );
  if (!found) throw invalidTransition(standing, action, asking);
  const missing = missingNeed(found, standing, asking);
  if (missing && needs[missing].code === 'invalid_transition') {
    throw invalidTransition(standing, action, asking, missing);
  }
  const lacking = found.scopes.find((scope) => asking.grants !== null && !allows(asking.grants, scope));
  if (lacking) {
    throw new Failure('insufficient_scope', {
      detail: `This needs the scope ${lacking}`,
      members: { required_scope: lacking },
    });
  }
  return found;
}

function isFrom(transition: Transition, { kind, status }: Standing): boolean {
  return transition.kind === kind && transition.from.some((one) => one === status);
}

function missingNeed(transition: Transition, standing: Standing, asking: Asking): Need | undefined {
  const holds: Record<Need, boolean> = {
    not_converted: !standing.is_converted,
    open_quantity: standing.has_open_quantity,
    no_approval_required: !asking.approval_required,
    no_payments: !standing.has_payments,
    no_credit_notes: !standing.has_credit_notes,
    no_open_revision: !standing.has_open_revision,
    open_balance: standing.balance > 0n,
  };
  return transition.needs?.find((need) => !holds[need]);
}

function invalidTransition(
  standing: Standing,
  action: DocumentAction,
  asking: Asking,
  missing?: Need,
): Failure {
  const available_actions = actionsFor(standing, asking);
  const what = kinds[standing.kind].title;
  const reason = missing
    ? `${action} is possible only ${needs[missing].text.replaceAll('`', '')}`
    : `a ${what} that is ${standing.status} does not take ${action}`;
  const now = available_actions.length === 0 ? 'nothing' : available_actions.join(', ');
  return new Failure('invalid_transition', {
    detail: `${reason}; now it takes ${now}`,
    members: { current_status: standing.status, available_actions },
  });
}
