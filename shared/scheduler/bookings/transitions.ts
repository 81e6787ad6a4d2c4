import { Failure } from '../../kernel/failure.ts';
import type { FailureCode } from '../../kernel/failures.ts';
import type { Text } from '../../kernel/language.ts';
import { rulesOf } from '../../platform/transitions/rules.ts';
import type {
  Asking,
  CallCondition,
  Condition,
  Row,
  Transition,
  TransitionTable,
} from '../../platform/transitions/table.ts';
import { type BookingRecord, bookingActions, bookingStatuses } from './record.ts';
import { statusAt } from './status.ts';

export type BookingAction = (typeof bookingActions)[number];
export type GuestAction = Extract<BookingAction, 'reschedule' | 'cancel'>;

const kinds = { booking: { title: { en: 'booking', ja: '予約' }, statuses: bookingStatuses } } as const;

type Kinds = typeof kinds;

/** What decides what can be done to a booking. */
export type Standing = {
  kind: 'booking';
  status: string;
  has_begun: boolean;
  has_event_type: boolean;
};

/** The same with until when its guest may act; null: never. Milliseconds since 1970. */
export type GuestStanding = Standing & { now: number; cutoffs: Record<GuestAction, number | null> };

/** What a call asks beside its action. */
type Call = { no_show: boolean };

const with_event_type = {
  text: { en: 'of an event type', ja: 'イベントタイプのある' },
  code: 'not_reschedulable',
  holds: ({ has_event_type }: Standing) => has_event_type,
} as const satisfies Condition<Standing, Asking>;

const needs = {
  with_event_type,
  to_come: {
    text: { en: 'that has not begun', ja: 'まだ始まっていない' },
    code: 'invalid_transition',
    holds: ({ has_begun }) => !has_begun,
  },
  begun: {
    text: { en: 'that has begun', ja: 'すでに始まった' },
    code: 'invalid_transition',
    holds: ({ has_begun }) => has_begun,
  },
} as const satisfies Record<string, Condition<Standing, Asking>>;

const call_needs = {
  another_no_show: {
    text: { en: '`no_show` differs from what it is', ja: '`no_show` が現在と異なること' },
    code: 'invalid_transition',
    refuse: ({ status }, { no_show }) =>
      no_show === (status === 'no_show')
        ? new Failure('invalid_transition', { members: { current_status: status } })
        : null,
  },
} as const satisfies Record<string, CallCondition<Standing, Call>>;

type Need = keyof typeof needs;
type CallNeed = keyof typeof call_needs;

const staffRows: readonly Row<Kinds, 'booking', BookingAction, Need, CallNeed>[] = [
  [
    'confirm',
    ['pending'],
    'confirmed',
    {
      en: 'takes the time where it did not; mailed; written to calendars',
      ja: '時間を押さえていなければ押さえます。メールで知らせ、カレンダーに書き込みます',
    },
  ],
  [
    'decline',
    ['pending'],
    'declined',
    { en: 'gives the time back; mailed', ja: '時間を空きに戻します。メールで知らせます' },
  ],
  [
    'reschedule',
    ['pending', 'confirmed'],
    'same',
    {
      en: 'same ID, link and calendar entry at another time; mailed',
      ja: 'ID、リンク、カレンダーの予定はそのままで、日時を変更します。メールで知らせます',
    },
    { needs: ['with_event_type', 'to_come'] },
  ],
  [
    'cancel',
    ['pending', 'confirmed'],
    'cancelled',
    {
      en: 'gives the time back; mailed; leaves calendars',
      ja: '時間を空きに戻します。メールで知らせ、カレンダーから削除します',
    },
  ],
  [
    'no-show',
    ['confirmed', 'completed'],
    'no_show',
    { en: 'says that the guest did not come', ja: 'お客様が来なかったことを記録します' },
    { needs: ['begun'], call_needs: ['another_no_show'] },
  ],
  [
    'no-show',
    ['no_show'],
    'confirmed',
    { en: 'takes that back', ja: 'その記録を取り消します' },
    { call_needs: ['another_no_show'] },
  ],
];

const WRITE = ['scheduler:write'] as const;

/** What staff can do to bookings. */
export const bookingTransitions: TransitionTable<
  Kinds,
  BookingAction,
  Need,
  CallNeed,
  Standing,
  Asking,
  Call
> = {
  kinds,
  actions: bookingActions,
  needs,
  call_needs,
  rows: staffRows.map(([action, from, to, effect, more]) => {
    return { kind: 'booking', action, from, to, scopes: WRITE, effect, ...more };
  }),
};

const guestNeeds = {
  with_event_type,
  in_time: cutoff('cancel', { en: 'while guests may cancel', ja: 'お客様によるキャンセルの期限内の' }),
  in_time_to_move: cutoff('reschedule', { en: 'while guests may move it', ja: 'お客様による変更の期限内の' }),
} as const satisfies Record<string, Condition<GuestStanding, Asking>>;

type GuestNeed = keyof typeof guestNeeds;

const guestRows: readonly Row<Kinds, 'booking', GuestAction, GuestNeed, never>[] = [
  [
    'reschedule',
    ['pending', 'confirmed'],
    'same',
    {
      en: 'as by staff; pending again where the type asks for confirmation',
      ja: '担当者による変更と同じです。確認制の予約は、再び確定待ちになります',
    },
    { needs: ['with_event_type', 'in_time_to_move'] },
  ],
  [
    'cancel',
    ['pending', 'confirmed'],
    'cancelled',
    { en: 'as by staff', ja: '担当者による操作と同じです' },
    { needs: ['in_time'] },
  ],
];

/** What guests can do to their booking by its link. */
export const guestTransitions: TransitionTable<
  Kinds,
  GuestAction,
  GuestNeed,
  never,
  GuestStanding,
  Asking,
  never
> = {
  kinds,
  actions: ['reschedule', 'cancel'],
  needs: guestNeeds,
  call_needs: {},
  rows: guestRows.map(
    ([action, from, to, effect, more]): Transition<Kinds, GuestAction, GuestNeed, never> => {
      return { kind: 'booking', action, from, to, scopes: [], effect, ...more };
    },
  ),
};

/** What a guest's action needs: that its cutoff lies ahead. The refusal names it. */
function cutoff(action: GuestAction, text: Text) {
  return {
    text,
    code: 'cutoff_passed',
    holds: ({ now, cutoffs }: GuestStanding) => cutoffs[action] !== null && now <= cutoffs[action],
    reason: ({ cutoffs }: GuestStanding) => ({
      sentence: {
        en: `${action} is not for guests any more`,
        ja: `お客様は ${action} を実行できません`,
      },
      members: { cutoff_at: cutoffs[action] === null ? null : new Date(cutoffs[action]).toISOString() },
    }),
  } as const;
}

const rules = rulesOf(bookingTransitions);
const guestRules = rulesOf(guestTransitions);
const ANYBODY: Asking = { grants: null };

/** What staff can do to a booking now. */
export function actionsFor(booking: BookingRecord, now: Date, asking: Asking): BookingAction[] {
  return rules.available(standingOf(booking, now), asking);
}

/** Sees that staff may do that to a locked booking. Errors: `invalid_transition`, and the codes of the table. */
export function requireAction(
  booking: BookingRecord,
  action: BookingAction,
  now: Date,
  asking: Asking,
  call?: Call,
): void {
  rules.require(standingOf(booking, now), action, asking, call);
}

/** What the guest can do to a booking now. */
export function guestActionsFor(booking: BookingRecord, now: Date, cutoffs: Cutoffs): GuestAction[] {
  return guestRules.available(guestStandingOf(booking, now, cutoffs), ANYBODY);
}

/** Sees that the guest may do that. Errors: `invalid_transition`, `not_reschedulable`, `cutoff_passed`. */
export function requireGuestAction(
  booking: BookingRecord,
  action: GuestAction,
  now: Date,
  cutoffs: Cutoffs,
): void {
  guestRules.require(guestStandingOf(booking, now, cutoffs), action, ANYBODY);
}

/** The codes with which the tables refuse an action of staff, and of guests. */
export function refusalsOf(action: BookingAction): FailureCode[] {
  return rules.codes('booking', action);
}

export function guestRefusalsOf(action: GuestAction): FailureCode[] {
  return guestRules.codes('booking', action);
}

/** Minutes before the start up to which a guest may act; null: never. */
export type Cutoffs = { cancel_cutoff_minutes: number | null; reschedule_cutoff_minutes: number | null };

/** Those of a booking without an event type: it can be cancelled until it begins. */
export const NO_TYPE: Cutoffs = { cancel_cutoff_minutes: 0, reschedule_cutoff_minutes: null };

function standingOf(booking: BookingRecord, now: Date): Standing {
  return {
    kind: 'booking',
    status: statusAt(booking, now),
    has_begun: Date.parse(booking.start) <= now.getTime(),
    has_event_type: booking.event_type_id !== null,
  };
}

function guestStandingOf(booking: BookingRecord, now: Date, cutoffs: Cutoffs): GuestStanding {
  const before = (minutes: number | null) =>
    minutes === null ? null : Date.parse(booking.start) - minutes * 60_000;
  return {
    ...standingOf(booking, now),
    now: now.getTime(),
    cutoffs: {
      cancel: before(cutoffs.cancel_cutoff_minutes),
      reschedule: before(cutoffs.reschedule_cutoff_minutes),
    },
  };
}
