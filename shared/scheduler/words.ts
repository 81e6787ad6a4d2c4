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
      title: { en: 'It belongs to somebody else', ja: 'ほかの人のものです' },
      help: {
        en: 'Its owner does this; "detail" says who else may, if anybody.',
        ja: '操作できるのは本人です。ほかに操作できる人がいる場合は「detail」に示されています。',
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
    provider_error: {
      status: 422,
      title: { en: 'The provider did not complete it', ja: 'カレンダーの提供元で処理が完了しませんでした' },
      help: {
        en: 'Connect the calendar again in a while.',
        ja: 'しばらくしてから、もう一度連携してください。',
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
