import type { Text } from '../../kernel/language.ts';
import {
  effectOf,
  type Transition as PlatformTransition,
  type Row,
} from '../../platform/transitions/table.ts';
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

const COMPLETE: Text = {
  en: '`missing` must be empty, else 422 `incomplete`',
  ja: '`missing` が空であること（満たさない場合は422 `incomplete`）',
};

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
      {
        en: 'PATCH; later it takes what is for our own use alone',
        ja: 'PATCH。以後は社内用の項目だけを変更できます',
      },
      { barred: frozen },
    ],
    [
      'delete',
      ['pending', 'rejected'],
      'gone',
      { en: 'DELETE; frees its number', ja: 'DELETE。番号は再び使えるようになります' },
      { needs: ['without_file'] },
    ],
    [
      'files',
      ['pending'],
      'same',
      {
        en: 'more files, also in the place of others',
        ja: 'ファイルを追加します。前のファイルと差し替えることもできます',
      },
    ],
    [
      'files',
      decided,
      'same',
      { en: 'more files', ja: 'ファイルを追加します' },
      { call_needs: ['nothing_superseded'] },
    ],
    [
      'reject',
      ['pending'],
      'rejected',
      {
        en: 'keeps the `reason`; frees its number and files',
        ja: '`reason` を残します。番号とファイルは再び登録できるようになります',
      },
      DECIDE,
    ],
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
      effectOf(COMPLETE, { en: 'frozen and booked', ja: '内容を確定し、仕訳を作成します' }),
      { ...DECIDE, needs: ['not_own'], call_needs: ['matched_or_overridden', 'account_confirmed'] },
    ],
    [
      'mark-paid',
      ['approved', 'partially_paid'],
      'by balance',
      { en: 'makes a payment; paid at balance 0', ja: '支払を記録します。残高が0になれば支払済みになります' },
      { needs: ['open_balance'] },
    ],
    [
      'delete-payment',
      ['partially_paid', 'paid'],
      'by balance',
      { en: 'the payment is gone', ja: '支払を削除します' },
    ],
    [
      'reopen',
      ['approved', 'rejected'],
      'pending',
      { en: 'its entry is taken back', ja: '仕訳を取り消します' },
      DECIDE,
    ],
  ]),

  ...everyKind('quotation'),
  ...of('quotation', [
    ['approve', ['pending'], 'approved', COMPLETE, { ...DECIDE, call_needs: ['valid_or_forced'] }],
    [
      'convert',
      ['approved'],
      'same',
      { en: 'makes a draft purchase order', ja: '発注書の下書きを作成します' },
      { needs: ['not_converted'] },
    ],
    ['reopen', ['approved', 'rejected'], 'pending', null, { ...DECIDE, needs: ['not_converted'] }],
  ]),

  ...everyKind('purchase_order'),
  ...of('purchase_order', [
    ['approve', ['pending'], 'approved', COMPLETE, DECIDE],
    ['fulfill', ['approved'], 'fulfilled', { en: 'keeps `fulfilled_on`', ja: '`fulfilled_on` を残します' }],
    ['reopen', ['approved', 'rejected'], 'pending', null, DECIDE],
  ]),

  ...everyKind('delivery_note'),
  ...of('delivery_note', [
    [
      'confirm',
      ['pending'],
      'confirmed',
      effectOf(COMPLETE, { en: 'keeps what was accepted of each line', ja: '明細ごとの受入数量を残します' }),
    ],
    ['reopen', ['confirmed', 'rejected'], 'pending', null, { ...DECIDE, needs: ['not_billed'] }],
  ]),
];
