import { sameText, type Text } from '../../kernel/language.ts';
import {
  effectOf,
  type Transition as PlatformTransition,
  type Row,
} from '../../platform/transitions/table.ts';
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

const FROZEN: Text = { en: 'frozen: number and PDF are given', ja: '番号とPDFを付けて確定します' };

const MAIL: Text = { en: 'mail with the PDF', ja: 'PDFをメールで送ります' };

const FROZEN_AND_MAIL = effectOf(FROZEN, MAIL);

const SENT = sameText('`invoice.sent`');

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
    [
      'update',
      ['draft'],
      'same',
      {
        en: 'PATCH; later it takes `internal_memo` alone',
        ja: 'PATCH。以後は `internal_memo` だけを変更できます',
      },
    ],
    [
      'delete',
      ['draft'],
      'gone',
      { en: 'DELETE; frees what it was converted from', ja: 'DELETE。変換元は再び変換できるようになります' },
    ],
    [
      'duplicate',
      kinds[kind].statuses,
      'same',
      {
        en: 'a draft with the same content and new dates',
        ja: '同じ内容で日付を新しくした下書きを作成します',
      },
    ],
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
    ['send-email', ['draft'], 'sent', FROZEN_AND_MAIL],
    ['send-email', ['sent', 'accepted'], 'same', MAIL],
    ['accept', ['sent'], 'accepted', null, { call_needs: ['valid_or_forced'] }],
    ['reject', ['sent'], 'rejected', { en: 'keeps the `reason`', ja: '`reason` を残します' }],
    [
      'convert',
      ['accepted'],
      'same',
      { en: 'makes a draft invoice', ja: '請求書の下書きを作成します' },
      { needs: ['not_converted'] },
    ],
  ]),

  ...everyKind('invoice'),
  ...of('invoice', [
    [
      'approve',
      ['draft'],
      'approved',
      effectOf(FROZEN, {
        en: 'what it revises is cancelled; `invoice.approved`',
        ja: '訂正元を取り消します。`invoice.approved`',
      }),
      { scopes: APPROVE, needs: REPLACEABLE },
    ],
    [
      'send',
      ['draft'],
      'sent',
      {
        en: 'approves it first; `invoice.approved`, `invoice.sent`',
        ja: '先に承認します。`invoice.approved`、`invoice.sent`',
      },
      { scopes: [...WRITE, ...APPROVE], needs: ['no_approval_required', ...REPLACEABLE] },
    ],
    ['send', ['approved'], 'sent', SENT],
    [
      'send-email',
      ['approved'],
      'sent',
      effectOf(MAIL, {
        en: 'sent once the mail server has taken it: `invoice.sent`',
        ja: 'メールサーバーが受け取った時点で送付済みになります。`invoice.sent`',
      }),
    ],
    [
      'send-email',
      ['sent', 'partially_paid', 'paid'],
      'same',
      effectOf(MAIL, {
        en: '`invoice.sent` if not sent before',
        ja: 'まだ送付していなければ `invoice.sent`',
      }),
    ],
    [
      'mark-paid',
      ['approved', 'sent', 'partially_paid'],
      'by balance',
      {
        en: 'makes a payment; `invoice.paid` at balance 0, else `invoice.updated`',
        ja: '入金を記録します。残高が0になれば `invoice.paid`、それ以外は `invoice.updated`',
      },
      { needs: ['open_balance'] },
    ],
    [
      'delete-payment',
      ['partially_paid', 'paid'],
      'by balance',
      { en: 'the payment is gone; `invoice.updated`', ja: '入金を削除します。`invoice.updated`' },
    ],
    [
      'credit-notes',
      ['approved', 'sent', 'partially_paid', 'paid'],
      'by balance',
      { en: 'makes a credit note, issued at once', ja: '返還請求書を作成し、同時に発行します' },
      { needs: ['not_wholly_credited'] },
    ],
    [
      'revise',
      ['approved', 'sent'],
      'same',
      {
        en: 'makes a draft copy that replaces it when approved',
        ja: '下書きの写しを作成します。承認すると元の請求書と入れ替わります',
      },
      { needs: ['no_credit_notes', 'no_open_revision'] },
    ],
    [
      'cancel',
      ['approved', 'sent'],
      'cancelled',
      {
        en: 'keeps its number and the `reason`; `invoice.cancelled`',
        ja: '番号と `reason` を残します。`invoice.cancelled`',
      },
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
      {
        en: 'makes a draft invoice of what is open, with other notes of the company if wished',
        ja: '未請求の分から請求書の下書きを作成します。同じ取引先のほかの納品書も含められます',
      },
      { needs: ['open_quantity'] },
    ],
  ]),

  ...everyKind('purchase_order'),
  ...of('purchase_order', [
    ['send', ['draft'], 'sent', FROZEN],
    ['send-email', ['draft'], 'sent', FROZEN_AND_MAIL],
    ['send-email', ['sent', 'accepted'], 'same', MAIL],
    ['accept', ['sent'], 'accepted', { en: 'the supplier agreed', ja: '仕入先が承諾したことを記録します' }],
    [
      'convert',
      ['accepted'],
      'same',
      { en: 'makes a received invoice, pending', ja: '未決の受取請求書を作成します' },
      { needs: ['not_converted'] },
    ],
  ]),

  ...of('credit_note', [['send-email', ['issued'], 'same', MAIL]]),
];
