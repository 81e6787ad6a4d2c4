import type { FailureCode } from '../../kernel/failures.ts';
import type { Scope } from '../../kernel/scope.ts';
import { type DocumentKind, kinds, type WrittenKind } from '../documents/kinds.ts';

export type DocumentStatus<Kind extends DocumentKind = DocumentKind> =
  (typeof kinds)[Kind]['statuses'][number];

/** What can be done to a document; each one but `update` and `delete` is the last part of its path. */
export const documentActions = [
  'update',
  'delete',
  'approve',
  'send',
  'send-email',
  'accept',
  'reject',
  'deliver',
  'convert',
  'mark-paid',
  'delete-payment',
  'credit-notes',
  'revise',
  'cancel',
  'duplicate',
] as const;

export type DocumentAction = (typeof documentActions)[number];

/** What must hold of a document beside its status, in words, and the code of the refusal where it does not. */
export const needs = {
  not_converted: { text: 'not converted yet', code: 'already_converted' },
  open_quantity: { text: 'with open quantity', code: 'invalid_transition' },
  no_approval_required: { text: 'with `approval_required` off', code: 'invalid_transition' },
  no_credit_notes: { text: 'without credit notes', code: 'has_credit_notes' },
  not_wholly_credited: { text: 'not credited as a whole yet', code: 'over_credit' },
  no_open_revision: { text: 'without an open revision', code: 'already_revised' },
  replaces_no_paid: { text: 'that replaces none with payments', code: 'has_payments' },
  replaces_no_credited: { text: 'that replaces none with credit notes', code: 'has_credit_notes' },
  open_balance: { text: 'with a balance above 0', code: 'overpayment' },
} as const satisfies Record<string, { text: string; code: FailureCode }>;

export type Need = keyof typeof needs;

/** One thing that can be done to documents of a kind. */
export type Transition = {
  kind: DocumentKind;
  action: DocumentAction;
  from: readonly DocumentStatus[];
  /** `same` where the status stays, `gone` where the document ends, `by balance` where it follows the payments. */
  to: DocumentStatus | 'same' | 'gone' | 'by balance';
  /** All of these are asked for. */
  scopes: readonly Scope[];
  needs?: readonly Need[];
  /** Statuses that are refused with a code that says more than `invalid_transition`. */
  barred?: Readonly<Partial<Record<DocumentStatus, FailureCode>>>;
  effect: string;
};

const WRITE = ['invoicing:write'] as const;

/** Approving is a right of its own; who sends a draft approves it. */
const APPROVE = ['approvals:write'] as const;

/** What a draft revises can still be cancelled. */
const REPLACEABLE = ['replaces_no_paid', 'replaces_no_credited'] as const;

const FROZEN = 'frozen: number and PDF are given';

const MAIL = 'mail with the PDF';

type Row<Kind extends DocumentKind> = [
  action: DocumentAction,
  from: readonly DocumentStatus<Kind>[],
  to: Exclude<Transition['to'], DocumentStatus> | DocumentStatus<Kind>,
  effect: string,
  more?: Partial<Pick<Transition, 'scopes' | 'needs' | 'barred'>>,
];

function of<Kind extends DocumentKind>(kind: Kind, rows: readonly Row<Kind>[]): Transition[] {
  return rows.map(([action, from, to, effect, more]) => {
    return { kind, action, from, to, scopes: WRITE, effect, ...more };
  });
}

/** What every kind of document that is written by hand allows. */
function everyKind(kind: WrittenKind): Transition[] {
  return of(kind, [
    ['update', ['draft'], 'same', 'PATCH; later it takes `internal_memo` alone'],
    ['delete', ['draft'], 'gone', 'DELETE; frees what it was converted from'],
    ['duplicate', kinds[kind].statuses, 'same', 'a draft with the same content and new dates'],
  ]);
}

/**
 * Everything that can be done to a document, and when. What is not here is refused. The endpoints, the
 * `available_actions` of an answer, the guide and a test of every action in every status follow from this table.
 */
export const transitions: readonly Transition[] = [
  ...everyKind('quotation'),
  ...of('quotation', [
    ['send', ['draft'], 'sent', FROZEN],
    ['send-email', ['draft'], 'sent', `${FROZEN}; ${MAIL}`],
    ['send-email', ['sent', 'accepted'], 'same', MAIL],
    ['accept', ['sent'], 'accepted', 'past `due_date` only with `force: true`, else 409 `expired`'],
    ['reject', ['sent'], 'rejected', 'keeps the `reason`'],
    ['convert', ['accepted'], 'same', 'makes a draft invoice', { needs: ['not_converted'] }],
  ]),

  ...everyKind('invoice'),
  ...of('invoice', [
    [
      'approve',
      ['draft'],
      'approved',
      `${FROZEN}; what it revises is cancelled; \`invoice.approved\``,
      { scopes: APPROVE, needs: REPLACEABLE },
    ],
    [
      'send',
      ['draft'],
      'sent',
      'approves it first; `invoice.approved`, `invoice.sent`',
      { scopes: [...WRITE, ...APPROVE], needs: ['no_approval_required', ...REPLACEABLE] },
    ],
    ['send', ['approved'], 'sent', '`invoice.sent`'],
    ['send-email', ['approved'], 'sent', `${MAIL}; sent once the mail server has taken it: \`invoice.sent\``],
    [
      'send-email',
      ['sent', 'partially_paid', 'paid'],
      'same',
      `${MAIL}; \`invoice.sent\` if not sent before`,
    ],
    [
      'mark-paid',
      ['approved', 'sent', 'partially_paid'],
      'by balance',
      'makes a payment; `invoice.paid` at balance 0, else `invoice.updated`',
      { needs: ['open_balance'] },
    ],
    ['delete-payment', ['partially_paid', 'paid'], 'by balance', 'the payment is gone; `invoice.updated`'],
    [
      'credit-notes',
      ['approved', 'sent', 'partially_paid', 'paid'],
      'by balance',
      'makes a credit note, issued at once',
      { needs: ['not_wholly_credited'] },
    ],
    [
      'revise',
      ['approved', 'sent'],
      'same',
      'makes a draft copy that replaces it when approved',
      { needs: ['no_credit_notes', 'no_open_revision'] },
    ],
    [
      'cancel',
      ['approved', 'sent'],
      'cancelled',
      'keeps its number and the `reason`; `invoice.cancelled`',
      { needs: ['no_credit_notes'], barred: { partially_paid: 'has_payments', paid: 'has_payments' } },
    ],
  ]),

  ...everyKind('delivery_note'),
  ...of('delivery_note', [
    ['deliver', ['draft'], 'delivered', FROZEN],
    ['send-email', ['delivered'], 'same', MAIL],
    [
      'convert',
      ['delivered'],
      'same',
      'makes a draft invoice of what is open, with other notes of the company if wished',
      { needs: ['open_quantity'] },
    ],
  ]),

  ...everyKind('purchase_order'),
  ...of('purchase_order', [
    ['send', ['draft'], 'sent', FROZEN],
    ['send-email', ['draft'], 'sent', `${FROZEN}; ${MAIL}`],
    ['send-email', ['sent', 'accepted'], 'same', MAIL],
    ['accept', ['sent'], 'accepted', 'the supplier agreed'],
    ['convert', ['accepted'], 'same', 'makes a received invoice, pending', { needs: ['not_converted'] }],
  ]),

  ...of('credit_note', [['send-email', ['issued'], 'same', MAIL]]),
];
