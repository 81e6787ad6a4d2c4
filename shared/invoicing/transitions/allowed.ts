import { Failure } from '../../kernel/failure.ts';
import type { FailureCode } from '../../kernel/failures.ts';
import { allows, type Grant } from '../../kernel/scope.ts';
import { type DocumentKind, documentKinds, kinds } from '../documents/kinds.ts';
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
  /** The living documents that were made of it. */
  converted_to: readonly { type: string; id: string }[];
  /** Whether some of its lines can still be invoiced; asked of delivery notes alone. */
  has_open_quantity: boolean;
  /** The draft that will replace it. */
  open_revision_id: string | null;
  /** What came to the invoice that this draft would replace. */
  replaced_has: 'payments' | 'credit_notes' | null;
  /** What it comes to, what credit notes took back of that, and what is still owed; yen. */
  amount_due: bigint;
  credited: bigint;
  balance: bigint;
};

/** Who asks: the scopes of the caller, or null where it is told without regard to anybody; and the settings' rule. */
export type Asking = { grants: readonly Grant[] | null; approval_required: boolean };

/** What can be done to a document now, in the order of the table of actions. */
export function actionsFor(standing: Standing, asking: Asking): DocumentAction[] {
  const open = new Set<DocumentAction>();
  for (const transition of taken.get(standing.kind)?.get(standing.status) ?? []) {
    if (missingNeed(transition, standing, asking) !== undefined) continue;
    if (missingScope(transition, asking) === undefined) open.add(transition.action);
  }
  return [...open];
}

/** What each status of a kind takes, in the order of the table of actions: lists ask for every row. */
const taken = new Map(
  documentKinds.map((kind) => {
    const ways = documentActions.flatMap((action) =>
      transitions.filter((one) => one.kind === kind && one.action === action),
    );
    const statuses: readonly string[] = kinds[kind].statuses;
    return [
      kind,
      new Map(statuses.map((status) => [status, ways.filter((one) => isFrom(one, { kind, status }))])),
    ];
  }),
);

/**
 * The transition that an action is, for a document that was locked. Errors: `invalid_transition` and the codes of the
 * table, each with `current_status` and `available_actions`; `insufficient_scope` where the status asks for more than
 * the action does elsewhere.
 */
export function requireTransition(standing: Standing, action: DocumentAction, asking: Asking): Transition {
  const ways = transitions.filter(({ kind, action: name }) => kind === standing.kind && name === action);
  const found = ways.find((transition) => isFrom(transition, standing));
  if (!found) {
    const [code = 'invalid_transition'] = ways.flatMap(({ barred = {} }) => {
      const known: Partial<Record<string, FailureCode>> = barred;
      return known[standing.status] ?? [];
    });
    const what = `${action} is not for ${withArticle(kinds[standing.kind].title)}`;
    throw refusal(code, standing, asking, `${what} that is ${standing.status.replace('_', ' ')}`);
  }
  const missing = missingNeed(found, standing, asking);
  if (missing) throw refusalOf(missing, action, standing, asking);
  const lacking = missingScope(found, asking);
  if (lacking) {
    const detail = `This needs the scope ${lacking}`;
    throw new Failure('insufficient_scope', { detail, members: { required_scope: lacking } });
  }
  return found;
}

/** A refusal by the rules of a document's life: it says where the document stands and what it takes instead. */
export function refusal(
  code: FailureCode,
  standing: Standing,
  asking: Asking,
  reason: string,
  members: Record<string, unknown> = {},
): Failure {
  const available_actions = actionsFor(standing, asking);
  const takes = available_actions.length === 0 ? 'nothing' : available_actions.join(', ');
  return new Failure(code, {
    detail: `${reason}; now it takes ${takes}`,
    members: { current_status: standing.status, available_actions, ...members },
  });
}

function refusalOf(need: Need, action: DocumentAction, standing: Standing, asking: Asking): Failure {
  const { code, text } = needs[need];
  const { converted_to, open_revision_id } = standing;
  if (need === 'no_open_revision') {
    return refusal(code, standing, asking, `${open_revision_id} will replace it`, { open_revision_id });
  }
  if (need === 'not_converted') {
    const made = converted_to.map(({ id }) => id).join(', ');
    return refusal(code, standing, asking, `It was converted into ${made}`, { converted_to });
  }
  const reason = `${action} takes ${withArticle(kinds[standing.kind].title)} ${text.replaceAll('`', '')}`;
  return refusal(code, standing, asking, reason);
}

function isFrom(transition: Transition, { kind, status }: Pick<Standing, 'kind' | 'status'>): boolean {
  return transition.kind === kind && transition.from.some((one) => one === status);
}

const holds: Record<Need, (standing: Standing, asking: Asking) => boolean> = {
  not_converted: ({ converted_to }) => converted_to.length === 0,
  open_quantity: ({ has_open_quantity }) => has_open_quantity,
  no_approval_required: (_, { approval_required }) => !approval_required,
  no_credit_notes: ({ credited }) => credited === 0n,
  not_wholly_credited: ({ credited, amount_due }) => credited === 0n || credited < amount_due,
  no_open_revision: ({ open_revision_id }) => open_revision_id === null,
  replaces_no_paid: ({ replaced_has }) => replaced_has !== 'payments',
  replaces_no_credited: ({ replaced_has }) => replaced_has !== 'credit_notes',
  open_balance: ({ balance }) => balance > 0n,
};

function missingNeed(transition: Transition, standing: Standing, asking: Asking): Need | undefined {
  return transition.needs?.find((need) => !holds[need](standing, asking));
}

function missingScope({ scopes }: Transition, { grants }: Asking) {
  return scopes.find((scope) => grants !== null && !allows(grants, scope));
}

function withArticle(title: string): string {
  return `${/^[aeiou]/.test(title) ? 'an' : 'a'} ${title}`;
}

/** The codes with which the table refuses an action on documents of a kind. */
export function refusalsOf(kind: DocumentKind, action: DocumentAction): FailureCode[] {
  const ways = transitions.filter((one) => one.kind === kind && one.action === action);
  const codes = ways.flatMap(({ needs: asked = [], barred = {} }): FailureCode[] => [
    ...asked.map((need) => needs[need].code),
    ...Object.values(barred),
  ]);
  return [...new Set<FailureCode>(['invalid_transition', ...codes])];
}
