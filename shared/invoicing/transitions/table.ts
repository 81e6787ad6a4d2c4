import type { Transition as PlatformTransition, Row } from '../../platform/transitions/table.ts';
import { type DocumentKind, kinds, type WrittenKind } from '../documents/kinds.ts';
import type { CallNeed, Need } from './conditions.ts';

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

/** One thing that can be done to documents of a kind. */
export type Transition = PlatformTransition<typeof kinds, DocumentAction, Need, CallNeed>;

const WRITE = ['invoicing:write'] as const;

/** Approving is a right of its own; who sends a draft approves it. */
const APPROVE = ['approvals:write'] as const;

/** What a draft revises can still be cancelled. */
const REPLACEABLE = ['replaces_no_paid', 'replaces_no_credited'] as const;

const FROZEN = 'frozen: number and PDF are given';

const MAIL = 'mail with the PDF';

function of<Kind extends DocumentKind>(
  kind: Kind,
  rows: readonly Row<typeof kinds, Kind, DocumentAction, Need, CallNeed>[],
): Transition[] {
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
 * Everything that can be done to a document, and when. What has no row is refused. The endpoints, `available_actions`,
 * the guide and a test of every action in every status follow from these rows.
 */
export const transitions: readonly Transition[] = [
  ...everyKind('quotation'),
  ...of('quotation', [
    ['send', ['draft'], 'sent', FROZEN],
    ['send-email', ['draft'], 'sent', `${FROZEN}; ${MAIL}`],
    ['send-email', ['sent', 'accepted'], 'same', MAIL],
    ['accept', ['sent'], 'accepted', '', { call_needs: ['valid_or_forced'] }],
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
