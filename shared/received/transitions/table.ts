import type { Transition as PlatformTransition, Row } from '../../platform/transitions/table.ts';
import { kinds, type ReceivedKind } from '../documents/kinds.ts';
import type { CallNeed, Need } from './conditions.ts';

/** What can be done to a received document; each one but `update`, `delete` and `delete-payment` is a path below it. */
export const receivedActions = [
  'update',
  'delete',
  'files',
  'approve',
  'confirm',
  'reject',
  'convert',
  'fulfill',
  'mark-paid',
  'delete-payment',
  'reopen',
] as const;

export type ReceivedAction = (typeof receivedActions)[number];

/** One thing that can be done to received documents of a kind. */
export type Transition = PlatformTransition<typeof kinds, ReceivedAction, Need, CallNeed>;

const WRITE = ['received:write'] as const;

/** To decide is a right of its own, and so is to take a decision back. */
const DECIDE = { scopes: ['approvals:write'] } as const;

const COMPLETE = '`missing` must be empty, else 422 `incomplete`';

function of<Kind extends ReceivedKind>(
  kind: Kind,
  rows: readonly Row<typeof kinds, Kind, ReceivedAction, Need, CallNeed>[],
): Transition[] {
  return rows.map(([action, from, to, effect, more]) => {
    return { kind, action, from, to, scopes: WRITE, effect, ...more };
  });
}

/** What every kind allows: what is pending can change, be rejected and come back. */
function everyKind(kind: ReceivedKind): Transition[] {
  const decided = kinds[kind].statuses.filter((status) => status !== 'pending' && status !== 'rejected');
  const frozen = Object.fromEntries(
    kinds[kind].statuses
      .filter((status) => status !== 'pending')
      .map((status) => [status, 'received_frozen']),
  );
  return of<ReceivedKind>(kind, [
    [
      'update',
      ['pending'],
      'same',
      'PATCH; later it takes what is for our own use alone',
      { barred: frozen },
    ],
    ['delete', ['pending', 'rejected'], 'gone', 'DELETE; frees its number', { needs: ['without_file'] }],
    ['files', ['pending'], 'same', 'more files, also in the place of others'],
    ['files', decided, 'same', 'more files', { call_needs: ['nothing_superseded'] }],
    ['reject', ['pending'], 'rejected', 'keeps the `reason`; frees its number and files', DECIDE],
  ]);
}

/**
 * Everything that can be done to a received document, and when. What has no row is refused. The endpoints,
 * `available_actions`, the guide and a test of every action in every status follow from these rows.
 */
export const transitions: readonly Transition[] = [
  ...everyKind('invoice'),
  ...of('invoice', [
    [
      'approve',
      ['pending'],
      'approved',
      `${COMPLETE}; frozen and booked`,
      { ...DECIDE, needs: ['not_own'], call_needs: ['matched_or_overridden', 'account_confirmed'] },
    ],
    [
      'mark-paid',
      ['approved', 'partially_paid'],
      'by balance',
      'makes a payment; paid at balance 0',
      { needs: ['open_balance'] },
    ],
    ['delete-payment', ['partially_paid', 'paid'], 'by balance', 'the payment is gone'],
    ['reopen', ['approved', 'rejected'], 'pending', 'its entry is taken back', DECIDE],
  ]),

  ...everyKind('quotation'),
  ...of('quotation', [
    ['approve', ['pending'], 'approved', COMPLETE, { ...DECIDE, call_needs: ['valid_or_forced'] }],
    ['convert', ['approved'], 'same', 'makes a draft purchase order', { needs: ['not_converted'] }],
    ['reopen', ['approved', 'rejected'], 'pending', '', { ...DECIDE, needs: ['not_converted'] }],
  ]),

  ...everyKind('purchase_order'),
  ...of('purchase_order', [
    ['approve', ['pending'], 'approved', COMPLETE, DECIDE],
    ['fulfill', ['approved'], 'fulfilled', 'keeps `fulfilled_on`'],
    ['reopen', ['approved', 'rejected'], 'pending', '', DECIDE],
  ]),

  ...everyKind('delivery_note'),
  ...of('delivery_note', [
    ['confirm', ['pending'], 'confirmed', `${COMPLETE}; keeps what was accepted of each line`],
    ['reopen', ['confirmed', 'rejected'], 'pending', '', { ...DECIDE, needs: ['not_billed'] }],
  ]),
];
