import type { FailureCode } from '../../kernel/failures.ts';
import { sameText } from '../../kernel/language.ts';
import { rulesOf } from '../../platform/transitions/rules.ts';
import type {
  Condition,
  Asking as PlatformAsking,
  Row,
  Transition,
  TransitionTable,
} from '../../platform/transitions/table.ts';
import { type JournalKind, type JournalStatus, journalStatuses } from './kinds.ts';

/** What can be done to an entry, in the order of `available_actions`. */
export const journalActions = [
  'update',
  'delete',
  'submit',
  'approve',
  'reject',
  'withdraw',
  'post',
  'void',
  'duplicate',
] as const;

export type JournalAction = (typeof journalActions)[number];

const kinds = { journal: { title: { en: 'entry', ja: '仕訳' }, statuses: journalStatuses } } as const;

/** What decides what can be done to an entry. */
export type Standing = {
  kind: 'journal';
  status: JournalStatus;
  journal_kind: JournalKind;
  reverses: string | null;
  created_by: string | null;
  edited_by: string | null;
  submitted_by: string | null;
  /** Who may approve, as the settings said when it was submitted; none: all. */
  approver_ids: readonly string[];
};

/** Who asks, and the rules of the settings. */
export type Asking = PlatformAsking & {
  user_id: string | null;
  approval_required: boolean;
  four_eyes: boolean;
};

const needs = {
  not_own: {
    text: { en: 'that others wrote, changed and submitted', ja: '他の人が作成・編集・申請した' },
    code: 'four_eyes',
    holds: ({ created_by, edited_by, submitted_by }, { four_eyes, user_id }) =>
      !four_eyes || user_id === null || ![created_by, edited_by, submitted_by].includes(user_id),
  },
  is_approver: {
    text: {
      en: 'that names you as an approver, or none',
      ja: '自分が承認者に含まれる、または承認者の指定がない',
    },
    code: 'not_approver',
    holds: ({ approver_ids }, { user_id }) =>
      approver_ids.length === 0 || user_id === null || approver_ids.includes(user_id),
  },
  by_author: {
    text: { en: 'that you wrote or submitted', ja: '自分が作成または申請した' },
    code: 'not_author',
    holds: ({ created_by, submitted_by }, { user_id }) =>
      user_id === null || created_by === user_id || submitted_by === user_id,
  },
  no_approval_required: {
    text: {
      en: 'that needs no approval first (`approval.required` of the settings)',
      ja: '先に承認を受ける必要のない（設定の `approval.required`）',
    },
    code: 'approval_required',
    holds: (_, { approval_required }) => !approval_required,
  },
  is_no_mirror: {
    text: { en: 'that reverses none', ja: '取消仕訳ではない' },
    code: 'invalid_transition',
    holds: ({ reverses }) => reverses === null,
  },
  not_closing: {
    text: { en: 'that closes no year', ja: '決算振替仕訳ではない' },
    code: 'invalid_transition',
    holds: ({ journal_kind }) => journal_kind !== 'closing',
  },
} as const satisfies Record<string, Condition<Standing, Asking>>;

type Need = keyof typeof needs;

const WRITE = ['accounting:write'] as const;
const APPROVE = ['approvals:write'] as const;

const FROZEN = {
  submitted: 'journal_frozen',
  approved: 'journal_frozen',
  posted: 'journal_frozen',
  voided: 'journal_frozen',
} as const;

const rows: readonly Row<typeof kinds, 'journal', JournalAction, Need, never>[] = [
  ['update', ['draft', 'rejected'], 'draft', sameText('PATCH'), { barred: FROZEN }],
  ['delete', ['draft', 'rejected'], 'gone', sameText('DELETE'), { barred: FROZEN }],
  [
    'submit',
    ['draft', 'rejected'],
    'submitted',
    { en: 'begins another round of approval', ja: '承認の手続きを新しく始めます' },
  ],
  ['approve', ['submitted'], 'approved', null, { scopes: APPROVE, needs: ['not_own', 'is_approver'] }],
  [
    'reject',
    ['submitted'],
    'rejected',
    { en: '`approve` with `action: reject`', ja: '`approve` に `action: reject` を指定します' },
    { scopes: APPROVE, needs: ['is_approver'] },
  ],
  ['withdraw', ['submitted', 'approved'], 'draft', null, { needs: ['by_author'] }],
  ['post', ['approved'], 'posted', { en: 'numbered and frozen', ja: '番号を付けて確定します' }],
  [
    'post',
    ['draft'],
    'posted',
    { en: 'numbered and frozen', ja: '番号を付けて確定します' },
    { needs: ['no_approval_required'] },
  ],
  [
    'void',
    ['posted'],
    'voided',
    { en: 'a mirror is posted', ja: '反対仕訳を計上します' },
    { needs: ['is_no_mirror', 'not_closing'] },
  ],
  [
    'duplicate',
    journalStatuses,
    'same',
    { en: 'a draft with the same lines', ja: '同じ行の下書きを作成します' },
  ],
];

/** The life of entries: from it follow what can be done, the refusals and the codes of the reference. */
export const journalTransitions: TransitionTable<
  typeof kinds,
  JournalAction,
  Need,
  never,
  Standing,
  Asking,
  never
> = {
  kinds,
  actions: journalActions,
  needs,
  call_needs: {},
  rows: rows.map(([action, from, to, effect, more]): Transition<typeof kinds, JournalAction, Need, never> => {
    return { kind: 'journal', action, from, to, scopes: WRITE, effect, ...more };
  }),
};

const rules = rulesOf(journalTransitions);

/** What can be done to an entry now. */
export function actionsFor(standing: Standing, asking: Asking): JournalAction[] {
  return rules.available(standing, asking);
}

/** Sees that an action may be done to a locked entry. Errors: `invalid_transition` and the codes of the table. */
export function requireAction(standing: Standing, action: JournalAction, asking: Asking): void {
  rules.require(standing, action, asking);
}

/** The codes with which the table refuses an action. */
export function refusalsOf(action: JournalAction): FailureCode[] {
  return rules.codes('journal', action);
}
