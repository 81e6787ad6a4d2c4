import type { FailureCode } from '../../kernel/failures.ts';
import { rulesOf } from '../../platform/transitions/rules.ts';
import type { Condition, Row, Transition, TransitionTable } from '../../platform/transitions/table.ts';
import { type SubmissionStatus, submissionStatuses } from '../months/record.ts';
import type { Asking as RequestAsking } from '../requests/transitions.ts';

/** The statuses that a submission has once it is there. */
export const keptStatuses = ['submitted', 'returned', 'confirmed', 'reopened'] as const;

export type KeptStatus = (typeof keptStatuses)[number];

/** What can be done to the month of a member, in the order of `available_actions`. */
export const submissionActions = ['submit', 'confirm', 'return', 'reopen'] as const;

export type SubmissionAction = (typeof submissionActions)[number];

const kinds = {
  submission: { title: { en: 'submission', ja: '月次の提出' }, statuses: submissionStatuses },
} as const;

/** What decides what can be done to a submission. */
export type Standing = {
  kind: 'submission';
  /** `none`: nobody has submitted the month yet. */
  status: SubmissionStatus;
  /** The account of the member whose month it is; null: none. */
  member_user_id: string | null;
  /** Whether a later period of the member is submitted or confirmed. */
  has_later_closed: boolean;
};

/** Who asks. */
export type Asking = Pick<RequestAsking, 'grants' | 'user_id' | 'decides' | 'decides_own'> & {
  /** Whether they act for this member: as manager of the team, as admin or owner. */
  acts: boolean;
  /** Whether they confirm months of this member: managers by the settings alone. */
  confirms: boolean;
  /** Whether they are owner or admin. */
  manages: boolean;
};

const isFor = ({ member_user_id }: Standing, { user_id }: Asking) =>
  user_id !== null && member_user_id === user_id;

const needs = {
  yours_or_of_your_team: {
    text: { en: 'of yourself or of a member that you act for', ja: '自分の、または自分が代理するメンバーの' },
    code: 'role_required',
    holds: (standing, asking) => asking.acts || isFor(standing, asking),
  },
  decided_by_you: {
    text: { en: 'of a member whose requests you decide', ja: '自分が承認するメンバーの' },
    code: 'role_required',
    holds: (_, { decides }) => decides,
  },
  confirmed_by_you: {
    text: {
      en: 'of a member whose months you confirm: owners and admins, with manager_can_confirm managers too',
      ja: '自分が確定できるメンバー（owner と admin。manager_can_confirm が有効なら manager も）の',
    },
    code: 'role_required',
    holds: (_, { confirms }) => confirms,
  },
  not_own: {
    text: { en: 'of somebody else', ja: '自分以外の' },
    code: 'self_approval',
    holds: (standing, asking) => asking.decides_own || !isFor(standing, asking),
  },
  managed_by_you: {
    text: { en: 'where you are owner or admin', ja: '自分が owner または admin である組織の' },
    code: 'role_required',
    holds: (_, { manages }) => manages,
  },
  last_closed: {
    text: { en: 'with no later month submitted or confirmed', ja: '後の月が提出・確定されていない' },
    code: 'later_period_closed',
    holds: ({ has_later_closed }) => !has_later_closed,
  },
} as const satisfies Record<string, Condition<Standing, Asking>>;

type Need = keyof typeof needs;

const WRITE = ['attendance:write'] as const;
const DECIDE = ['attendance:write', 'approvals:write'] as const;

const rows: readonly Row<typeof kinds, 'submission', SubmissionAction, Need, never>[] = [
  [
    'submit',
    ['none', 'returned', 'reopened'],
    'submitted',
    { en: 'closes the period: its days stay as they are', ja: '期間を締め、日ごとの内容を固定します' },
    { needs: ['yours_or_of_your_team'] },
  ],
  [
    'confirm',
    ['submitted'],
    'confirmed',
    {
      en: 'keeps days, totals, limits and settings as a revision; mailed to the member',
      ja: '日ごとの内容、集計、上限、設定を改訂として保存します。本人にメールで知らせます',
    },
    { scopes: DECIDE, needs: ['confirmed_by_you', 'not_own'] },
  ],
  [
    'return',
    ['submitted'],
    'returned',
    {
      en: 'opens the period; mailed to the member',
      ja: '期間を再び変更できるようにします。本人にメールで知らせます',
    },
    { scopes: DECIDE, needs: ['decided_by_you'] },
  ],
  [
    'reopen',
    ['confirmed'],
    'reopened',
    {
      en: 'opens the period, the revision is kept; mailed to the member',
      ja: '期間を再び変更できるようにします。改訂は残ります。本人にメールで知らせます',
    },
    { needs: ['managed_by_you', 'last_closed'] },
  ],
];

/** The life of the months of members: from it follow what can be done, the refusals and the codes of the reference. */
export const submissionTransitions: TransitionTable<
  typeof kinds,
  SubmissionAction,
  Need,
  never,
  Standing,
  Asking,
  never
> = {
  kinds,
  actions: submissionActions,
  needs,
  call_needs: {},
  rows: rows.map(
    ([action, from, to, effect, more]): Transition<typeof kinds, SubmissionAction, Need, never> => {
      return { kind: 'submission', action, from, to, scopes: WRITE, effect, ...more };
    },
  ),
};

const rules = rulesOf(submissionTransitions);

/** What can be done to a submission now. */
export function actionsFor(standing: Standing, asking: Asking): SubmissionAction[] {
  return rules.available(standing, asking);
}

/** Sees that an action may be done to a locked submission. Errors: `invalid_transition` and the codes of the table. */
export function requireAction(standing: Standing, action: SubmissionAction, asking: Asking): void {
  rules.require(standing, action, asking);
}

/** The codes with which the table refuses an action. */
export function refusalsOf(action: SubmissionAction): FailureCode[] {
  return rules.codes('submission', action);
}
