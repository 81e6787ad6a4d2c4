import { Failure } from '../../kernel/failure.ts';
import type { CallCondition, Condition, Asking as PlatformAsking } from '../../platform/transitions/table.ts';
import type { ReceivedKind } from '../documents/kinds.ts';

/** What decides what can be done to a received document: its status, and what the conditions read. */
export type Standing = {
  kind: ReceivedKind;
  status: string;
  created_by: string | null;
  /** Of a quotation the last day of its validity. */
  due_date: string | null;
  file_count: number;
  retention_until: string | null;
  /** The living documents that were made of it. */
  converted_to: readonly { type: string; id: string }[];
  /** An approved invoice of the order that a delivery note belongs to; null for the other kinds. */
  billed_by: string | null;
  /** What is still to be paid; yen. */
  balance: number;
};

/** Who asks, and the rule of the settings. */
export type Asking = PlatformAsking & { user_id: string | null; four_eyes: boolean };

/** What a call says, and what was found for it under its locks. Each action fills in what its conditions read. */
export type Call = {
  /** The day of the call in the settings' zone. */
  today: string;
  /** Approves a quotation that is past its validity. */
  force?: boolean;
  /** Whether what the invoice bills differs from its order, where the settings block that. */
  is_mismatch?: boolean;
  override_match?: boolean;
  /** The last approved invoice of the company, where that names another bank account. */
  other_account_of?: string | null;
  confirm_bank_account?: boolean;
  /** The file that a new one replaces. */
  supersedes?: string | null;
};

/** What must hold of a received document beside its status. */
export const needs = {
  not_own: {
    text: {
      en: 'that others registered, with `four_eyes` on',
      ja: '（`four_eyes` が有効な場合）他の人が登録した',
    },
    code: 'own_document',
    holds: ({ created_by }, { four_eyes, user_id }) =>
      !four_eyes || user_id === null || created_by !== user_id,
  },
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
  not_billed: {
    text: { en: 'whose order has no approved invoice', ja: '発注書に承認済みの請求書がない' },
    code: 'in_use',
    holds: ({ billed_by }) => billed_by === null,
    reason: ({ billed_by }) => ({
      sentence: {
        en: `${billed_by} was approved by what was accepted`,
        ja: `検収した数量にもとづいて ${billed_by} が承認されています`,
      },
      members: { invoice_id: billed_by },
    }),
  },
  without_file: {
    text: { en: 'without a file', ja: 'ファイルのない' },
    code: 'received_retained',
    holds: ({ file_count }) => file_count === 0,
    reason: ({ retention_until }) => ({
      sentence: {
        en: `Its files have to be kept until ${retention_until}`,
        ja: `ファイルは${retention_until}まで保管が必要です`,
      },
      members: { retention_until },
    }),
  },
  open_balance: {
    text: { en: 'with something left to pay', ja: '未払いの残高がある' },
    code: 'received_overpayment',
    holds: ({ balance }) => balance !== 0,
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
    code: 'received_quotation_expired',
    refuse: ({ due_date }, { force = false, today }) => {
      if (force || due_date === null || today <= due_date) return null;
      return new Failure('received_quotation_expired', {
        detail: {
          en: `It was valid until ${due_date}; send "force": true to approve it all the same`,
          ja: `有効期限は ${due_date} まででした。それでも承認する場合は「"force": true」を送信してください`,
        },
        members: { due_date },
      });
    },
  },
  matched_or_overridden: {
    text: {
      en: 'what differs from its order, where `match_policy` is `block`, only with `override_match: true`',
      ja: '`match_policy` が `block` で発注書と一致しない場合は `override_match: true` を指定',
    },
    code: 'match_failed',
    refuse: (_, { is_mismatch = false, override_match = false }) =>
      is_mismatch && !override_match ? new Failure('match_failed') : null,
  },
  account_confirmed: {
    text: {
      en: 'another bank account than before only with `confirm_bank_account: true`',
      ja: '振込先が以前と異なる場合は `confirm_bank_account: true` を指定',
    },
    code: 'bank_account_changed',
    refuse: (_, { other_account_of = null, confirm_bank_account = false }) => {
      if (other_account_of === null || confirm_bank_account) return null;
      return new Failure('bank_account_changed', {
        detail: {
          en: `${other_account_of}, the last approved invoice of this company, names another bank account; "confirm_bank_account": true approves this one`,
          ja: `この取引先の最後に承認された請求書 ${other_account_of} とは振込先が異なります。正しい場合は「"confirm_bank_account": true」を送信してください`,
        },
        members: { last_invoice_id: other_account_of },
      });
    },
  },
  nothing_superseded: {
    text: {
      en: 'after the decision without `supersedes`',
      ja: '承認・却下などの後は `supersedes` を指定不可',
    },
    code: 'received_frozen',
    refuse: ({ status }, { supersedes = null }) => {
      if (supersedes === null) return null;
      return new Failure('received_frozen', {
        detail: {
          en: 'Files are replaced only while the document is pending; add the new one beside them',
          ja: 'ファイルを差し替えられるのは書類が pending の間だけです。新しいファイルを追加してください',
        },
        members: { current_status: status },
      });
    },
  },
} as const satisfies Record<string, CallCondition<Standing, Call>>;

export type CallNeed = keyof typeof callNeeds;
