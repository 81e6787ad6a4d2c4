import { Failure } from '../../kernel/failure.ts';
import type { CallCondition, Condition, Asking as PlatformAsking } from '../../platform/transitions/table.ts';
import { isExpired } from '../documents/due.ts';
import type { DocumentKind } from '../documents/kinds.ts';

/** What decides what can be done to a document: its status, and what the conditions read. */
export type Standing = {
  kind: DocumentKind;
  status: string;
  due_date: string | null;
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

/** Who asks, and the rule of the settings. */
export type Asking = PlatformAsking & { approval_required: boolean };

/** What the body of a call says, and the day of the call in the settings' zone. */
export type Call = { force: boolean; today: string };

/** What must hold of a document beside its status. */
export const needs = {
  not_converted: {
    text: { en: 'not converted yet', ja: 'まだ変換していない' },
    code: 'already_converted',
    holds: ({ converted_to }) => converted_to.length === 0,
    reason: ({ converted_to }) => ({
      sentence: {
        en: `It was converted into ${converted_to.map(({ id }) => id).join(', ')}`,
        ja: `${converted_to.map(({ id }) => id).join('、')} に変換済みです`,
      },
      members: { converted_to },
    }),
  },
  open_quantity: {
    text: { en: 'with open quantity', ja: '未請求の数量が残っている' },
    code: 'invalid_transition',
    holds: ({ has_open_quantity }) => has_open_quantity,
  },
  no_approval_required: {
    text: { en: 'with `approval_required` off', ja: '`approval_required` が無効な' },
    code: 'invalid_transition',
    holds: (_, { approval_required }) => !approval_required,
  },
  no_credit_notes: {
    text: { en: 'without credit notes', ja: '返還請求書のない' },
    code: 'has_credit_notes',
    holds: ({ credited }) => credited === 0n,
  },
  not_wholly_credited: {
    text: { en: 'not credited as a whole yet', ja: 'まだ全額を返還していない' },
    code: 'over_credit',
    holds: ({ credited, amount_due }) => credited === 0n || credited < amount_due,
  },
  no_open_revision: {
    text: { en: 'without an open revision', ja: '作成中の改訂版がない' },
    code: 'already_revised',
    holds: ({ open_revision_id }) => open_revision_id === null,
    reason: ({ open_revision_id }) => ({
      sentence: {
        en: `${open_revision_id} will replace it`,
        ja: `改訂版の ${open_revision_id} が作成中です`,
      },
      members: { open_revision_id },
    }),
  },
  replaces_no_paid: {
    text: { en: 'that replaces none with payments', ja: '入金のある書類の改訂版ではない' },
    code: 'has_payments',
    holds: ({ replaced_has }) => replaced_has !== 'payments',
  },
  replaces_no_credited: {
    text: { en: 'that replaces none with credit notes', ja: '返還請求書のある書類の改訂版ではない' },
    code: 'has_credit_notes',
    holds: ({ replaced_has }) => replaced_has !== 'credit_notes',
  },
  open_balance: {
    text: { en: 'with a balance above 0', ja: '未入金の残高がある' },
    code: 'overpayment',
    holds: ({ balance }) => balance > 0n,
  },
} as const satisfies Record<string, Condition<Standing, Asking>>;

export type Need = keyof typeof needs;

/** What must hold of a call. */
export const callNeeds = {
  valid_or_forced: {
    text: {
      en: 'past `due_date` only with `force: true`',
      ja: '`due_date` を過ぎている場合は `force: true` を指定',
    },
    code: 'quotation_expired',
    refuse: (quotation, { force, today }) => {
      if (force || !isExpired(quotation, today)) return null;
      const { due_date } = quotation;
      return new Failure('quotation_expired', {
        detail: {
          en: `It was valid until ${due_date}; send "force": true to accept it all the same`,
          ja: `有効期限は ${due_date} まででした。それでも受注する場合は「"force": true」を送信してください`,
        },
        members: { due_date },
      });
    },
  },
} as const satisfies Record<string, CallCondition<Standing, Call>>;

export type CallNeed = keyof typeof callNeeds;
