import { words } from '../kernel/vocabulary.ts';

/** The words of the scheduler. Words are never renamed: callers store them. */
export const schedulerWords = words({
  prefixes: {
    event_type: 'etype',
    availability: 'avail',
    booking: 'book',
    booking_session: 'bsess',
    booking_hold: 'bhold',
    proposal: 'prop',
    calendar_connection: 'ccon',
    calendar_event: 'cevt',
    feed: 'feed',
  },
  failures: {
    not_owner: {
      status: 403,
      title: { en: 'This belongs to another member', ja: 'ほかのメンバーのものです' },
      help: {
        en: 'As member you act on your own alone. Ask the member, or a manager, admin or owner.',
        ja: 'member の役割で操作できるのは自分のものだけです。本人か、manager、admin、owner に依頼してください。',
      },
    },
    no_members: {
      status: 422,
      title: { en: 'An event type needs a member', ja: '予約タイプには担当者が必要です' },
      help: {
        en: 'Name at least one member of the organization in "members".',
        ja: '「members」に組織のメンバーを1人以上指定してください。',
      },
    },
    members_mismatch: {
      status: 422,
      title: { en: 'The members do not fit the assignment', ja: '担当者が割り当て方法に合っていません' },
      help: {
        en: '"single" takes exactly one required member, "collective" none that rotates, "round_robin" at least one that does; optional members alone host nothing.',
        ja: '「single」は必須の担当者ちょうど1人、「collective」はrotatingなし、「round_robin」はrotatingが1人以上必要です。optionalだけでは担当できません。',
      },
    },
    assignment_mismatch: {
      status: 409,
      code: 'members_mismatch',
      title: {
        en: 'The members do not fit this assignment',
        ja: '現在の担当者はこの割り当て方法に合っていません',
      },
      help: {
        en: 'Send the members together with the assignment to POST /event-types/{id}/members.',
        ja: 'POST /event-types/{id}/members で、担当者と割り当て方法を一緒に指定してください。',
      },
    },
    seats_mismatch: {
      status: 422,
      title: {
        en: 'Several seats do not fit this event type',
        ja: 'この予約タイプでは複数席を設定できません',
      },
      help: {
        en: 'More than one seat is neither for round robin nor for bookings that wait for confirmation.',
        ja: '2席以上は、ラウンドロビンおよび手動確認の予約タイプでは使えません。',
      },
    },
  },
  events: [],
});

declare module '../kernel/vocabulary.ts' {
  interface Vocabulary {
    scheduler: typeof schedulerWords;
  }
}
