import type { FailureCode } from '../../kernel/failures.ts';
import { rulesOf } from '../../platform/transitions/rules.ts';
import type {
  Condition,
  Asking as PlatformAsking,
  Row,
  Transition,
  TransitionTable,
} from '../../platform/transitions/table.ts';
import { requestStatuses } from './statuses.ts';

/** What can be done to a request, in the order of `available_actions`. */
export const requestActions = ['approve', 'reject', 'cancel'] as const;

export type RequestAction = (typeof requestActions)[number];

const kinds = {
  leave_request: { title: { en: 'leave request', ja: '休暇申請' }, statuses: requestStatuses },
  correction: { title: { en: 'correction', ja: '打刻修正申請' }, statuses: requestStatuses },
  overtime_request: { title: { en: 'overtime request', ja: '残業申請' }, statuses: requestStatuses },
} as const;

export type RequestKind = keyof typeof kinds;

const requestKinds = Object.keys(kinds) as RequestKind[];

/** What decides what can be done to a request. */
export type Standing = {
  kind: RequestKind;
  status: string;
  /** The account of the member it is for; null: none. */
  member_user_id: string | null;
  /** Who filed it. */
  created_by: string | null;
  /** The first day that it is about. */
  first_day: string;
};

/** Who asks. */
export type Asking = PlatformAsking & {
  user_id: string | null;
  /** Whether they decide requests of this member, by role and department. */
  decides: boolean;
  /** Whether they may decide their own: by the settings, or as the only owner. */
  decides_own: boolean;
  /** The day that it is in the organization. */
  today: string;
};

const isFor = ({ member_user_id }: Standing, { user_id }: Asking) =>
  user_id !== null && member_user_id === user_id;

const needs = {
  decided_by_you: {
    text: { en: 'of a member whose requests you decide', ja: '自分が承認するメンバーの' },
    code: 'role_required',
    holds: (_, { decides }) => decides,
  },
  not_own: {
    text: { en: 'of somebody else', ja: '自分以外の' },
    code: 'self_approval',
    holds: (standing, asking) => asking.decides_own || !isFor(standing, asking),
  },
  yours: {
    text: { en: 'for you, or filed by you', ja: '自分の、または自分が申請した' },
    code: 'invalid_transition',
    holds: (standing, asking) =>
      isFor(standing, asking) || (asking.user_id !== null && standing.created_by === asking.user_id),
  },
  to_come_or_decided_by_you: {
    text: {
      en: 'for you that has not begun, or of a member whose requests you decide',
      ja: '開始前の自分の、または自分が承認するメンバーの',
    },
    code: 'invalid_transition',
    holds: (standing, asking) =>
      asking.decides || (isFor(standing, asking) && asking.today < standing.first_day),
  },
} as const satisfies Record<string, Condition<Standing, Asking>>;

type Need = keyof typeof needs;

const WRITE = ['attendance:write'] as const;
const DECIDE = ['attendance:write', 'approvals:write'] as const;
const DECIDED = { scopes: DECIDE, needs: ['decided_by_you', 'not_own'] } as const;

type RequestsRow = Row<typeof kinds, RequestKind, RequestAction, Need, never>;

const rows: Readonly<Record<RequestKind, readonly RequestsRow[]>> = {
  leave_request: [
    [
      'approve',
      ['pending'],
      'approved',
      { en: 'mailed to the member', ja: '本人にメールで知らせます' },
      DECIDED,
    ],
    [
      'reject',
      ['pending'],
      'rejected',
      { en: 'mailed to the member; its days return', ja: '本人にメールで知らせ、日数を戻します' },
      DECIDED,
    ],
    [
      'cancel',
      ['pending'],
      'cancelled',
      { en: 'its days return', ja: '日数を戻します' },
      { needs: ['yours'] },
    ],
    [
      'cancel',
      ['approved'],
      'cancelled',
      { en: 'its days return', ja: '日数を戻します' },
      { needs: ['to_come_or_decided_by_you'] },
    ],
  ],
  correction: [
    [
      'approve',
      ['pending'],
      'approved',
      {
        en: "replaces the day's sessions; mailed to the member",
        ja: 'その日の勤務を置き換え、本人にメールで知らせます',
      },
      DECIDED,
    ],
    [
      'reject',
      ['pending'],
      'rejected',
      { en: 'mailed to the member', ja: '本人にメールで知らせます' },
      DECIDED,
    ],
    ['cancel', ['pending'], 'cancelled', null, { needs: ['yours'] }],
  ],
  overtime_request: [
    [
      'approve',
      ['pending'],
      'approved',
      { en: 'its time is approved; mailed to the member', ja: 'その時間を承認し、本人にメールで知らせます' },
      DECIDED,
    ],
    [
      'reject',
      ['pending'],
      'rejected',
      { en: 'mailed to the member', ja: '本人にメールで知らせます' },
      DECIDED,
    ],
    ['cancel', ['pending'], 'cancelled', null, { needs: ['yours'] }],
  ],
};

/** The life of requests: from it follow what can be done, the refusals and the codes of the reference. */
export const requestTransitions: TransitionTable<
  typeof kinds,
  RequestAction,
  Need,
  never,
  Standing,
  Asking,
  never
> = {
  kinds,
  actions: requestActions,
  needs,
  call_needs: {},
  rows: requestKinds.flatMap((kind) =>
    rows[kind].map(
      ([action, from, to, effect, more]): Transition<typeof kinds, RequestAction, Need, never> => {
        return { kind, action, from, to, scopes: WRITE, effect, ...more };
      },
    ),
  ),
};

const rules = rulesOf(requestTransitions);

/** What can be done to a request now. */
export function actionsFor(standing: Standing, asking: Asking): RequestAction[] {
  return rules.available(standing, asking);
}

/** Sees that an action may be done to a locked request. Errors: `invalid_transition` and the codes of the table. */
export function requireAction(standing: Standing, action: RequestAction, asking: Asking): void {
  rules.require(standing, action, asking);
}

/** The codes with which the table refuses an action. */
export function refusalsOf(kind: RequestKind, action: RequestAction): FailureCode[] {
  return rules.codes(kind, action);
}
