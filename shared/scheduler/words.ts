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
      title: { en: 'An event type needs a member', ja: 'イベントタイプには担当者が必要です' },
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
        ja: 'このイベントタイプでは複数席を設定できません',
      },
      help: {
        en: 'More than one seat is neither for round robin nor for bookings that wait for confirmation.',
        ja: '2席以上は、ラウンドロビンおよび手動確認のイベントタイプでは使えません。',
      },
    },
    slot_taken: {
      status: 409,
      title: { en: 'The time is not free any more', ja: 'その時間はすでに埋まっています' },
      help: {
        en: 'Ask for the slots again and choose another start.',
        ja: '空き時間をもう一度取得し、別の開始時刻を選んでください。',
      },
    },
    already_booked: {
      status: 409,
      title: {
        en: 'The address has a seat at that time already',
        ja: 'このメールアドレスはその回をすでに予約しています',
      },
      help: {
        en: 'A guest has one seat of a session. Use another address for another guest.',
        ja: '1回につき1人1席です。別の方の席には別のメールアドレスを指定してください。',
      },
    },
    cutoff_passed: {
      status: 409,
      title: { en: 'It is too late for a guest to change this', ja: 'お客様による変更の期限を過ぎています' },
      help: {
        en: '"cutoff_at" says until when guests could; null: never. Ask the host to change it.',
        ja: '期限は「cutoff_at」に示されています（null の場合、お客様は変更できません）。主催者に変更を依頼してください。',
      },
    },
    not_reschedulable: {
      status: 409,
      title: { en: 'The booking cannot be moved', ja: 'この予約の日時は変更できません' },
      help: {
        en: 'It has no event type whose times could be offered. Cancel it and agree on a new time.',
        ja: '空き時間を計算するイベントタイプがありません。キャンセルして、あらためて日時を決めてください。',
      },
    },
    no_holds: {
      status: 409,
      title: { en: 'Starts with several seats are not held', ja: '複数席の枠は仮押さえできません' },
      help: {
        en: 'Book without a hold: a seat is taken with the booking.',
        ja: '仮押さえせずに予約してください。席は予約時に確保されます。',
      },
    },
    not_bookable: {
      status: 422,
      title: { en: 'The start cannot be booked', ja: 'その開始時刻は予約できません' },
      help: {
        en: '"errors" says why at /start. Ask for the slots and choose one of them.',
        ja: '理由は「errors」の /start に示されています。空き時間を取得して、その中から選んでください。',
      },
    },
    calendar_unavailable: {
      status: 503,
      title: { en: 'A calendar does not answer just now', ja: 'カレンダーに接続できません' },
      help: {
        en: 'Try again after the seconds in Retry-After: nothing is booked without knowing whether the host is free.',
        ja: 'Retry-Afterの秒数が経過してから、もう一度お試しください。主催者の予定を確認できないため、予約していません。',
      },
    },
    provider_not_configured: {
      status: 409,
      title: { en: 'This kind of calendar is not set up', ja: 'この種類のカレンダーは設定されていません' },
      help: {
        en: 'An operator sets GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET; calendars by CalDAV and ICS need nothing.',
        ja: '運用担当者が GOOGLE_CLIENT_ID と GOOGLE_CLIENT_SECRET を設定する必要があります。CalDAVとICSのカレンダーには設定は不要です。',
      },
    },
    connection_ended: {
      status: 409,
      title: { en: 'The calendar is disconnected', ja: 'カレンダーの連携は解除されています' },
      help: { en: 'Connect it again.', ja: 'もう一度連携してください。' },
    },
    invalid_state: {
      status: 422,
      title: {
        en: 'The consent was not asked for here, or too long ago',
        ja: '同意の要求が確認できないか、期限が切れています',
      },
      help: {
        en: 'Connect the calendar again: a consent is used once, within ten minutes.',
        ja: 'もう一度カレンダーの連携を始めてください。同意は10分以内に1回だけ使えます。',
      },
    },
    access_denied: {
      status: 422,
      title: { en: 'The consent was not given', ja: '同意が得られませんでした' },
      help: {
        en: 'Connect the calendar again, and agree at the provider.',
        ja: 'もう一度連携を始め、提供元の画面で許可してください。',
      },
    },
    missing_scope: {
      status: 422,
      title: { en: 'A part of the consent is missing', ja: '必要な許可の一部がありません' },
      help: {
        en: 'Connect the calendar again, and agree to all that is asked for.',
        ja: 'もう一度連携を始め、求められる許可をすべて選んでください。',
      },
    },
    forbidden_address: {
      status: 422,
      title: { en: 'The address is not called', ja: 'このアドレスには接続できません' },
      help: {
        en: 'Its host has an address that is not public. An operator can name the host in CALENDAR_HOSTS.',
        ja: 'ホストのアドレスが公開されたものではありません。運用者がCALENDAR_HOSTSにホストを指定すると接続できます。',
      },
    },
    provider_error: {
      status: 422,
      title: { en: 'The provider did not complete it', ja: 'カレンダーの提供元で処理が完了しませんでした' },
      help: {
        en: 'Connect the calendar again in a while.',
        ja: 'しばらくしてから、もう一度連携してください。',
      },
    },
  },
  events: [
    'scheduler.booking.created',
    'scheduler.booking.confirmed',
    'scheduler.booking.declined',
    'scheduler.booking.expired',
    'scheduler.booking.rescheduled',
    'scheduler.booking.cancelled',
    'scheduler.booking.no_show',
    'scheduler.proposal.created',
    'scheduler.proposal.accepted',
    'scheduler.proposal.declined',
    'scheduler.proposal.expired',
    'scheduler.proposal.withdrawn',
  ],
});

declare module '../kernel/vocabulary.ts' {
  interface Vocabulary {
    scheduler: typeof schedulerWords;
  }
}
