import type { Text } from '../kernel/language.ts';

/** Why a mail has nothing to say any more when it is about to be sent; mails keep the English. */
export const pointless = {
  moved: {
    en: 'The booking is not at that time any more, or has begun',
    ja: '予約の時刻が変わったか、すでに始まっています',
  },
  not_open: { en: 'The proposal is no longer open', ja: '日程の提案は、もう受け付けていません' },
  nobody: { en: 'Nobody is to be written to any more', ja: '送る相手がいなくなりました' },
  host_left: { en: 'The host has left', ja: '担当者が組織を離れました' },
  calendar_works: { en: 'The calendar works again', ja: 'カレンダーは再び使えるようになりました' },
} satisfies Record<string, Text>;
