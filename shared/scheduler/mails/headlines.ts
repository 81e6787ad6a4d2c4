import type { Locale } from '../../platform/mailer/letter.ts';
import type { News } from './told.ts';

/** Who reads a mail: who booked, who comes along, or who hosts. */
export type Reader = 'guest' | 'other_guest' | 'host';

/** What a mail says first, by its news; the same words begin its subject. Guests who come along read what the guest reads. */
type Headlines = Readonly<Record<News | 'reminder', string>>;

const guest: Readonly<Record<Locale, Headlines>> = {
  ja: {
    requested: '予約のお申し込みを受け付けました',
    booked: '予約が確定しました',
    confirmed: '予約が確定しました',
    declined: '予約をお受けできませんでした',
    expired: '予約のお申し込みは期限切れになりました',
    rescheduled: '予約の日時が変更されました',
    cancelled: '予約がキャンセルされました',
    assigned: '予約の担当者が変わりました',
    released: '予約の担当者が変わりました',
    seats_changed: '参加人数が変わりました',
    reminder: '予約のお知らせ',
  },
  en: {
    requested: 'Your request was received',
    booked: 'Your booking is confirmed',
    confirmed: 'Your booking is confirmed',
    declined: 'Your request was declined',
    expired: 'Your request has expired',
    rescheduled: 'Your booking was moved',
    cancelled: 'Your booking was cancelled',
    assigned: 'Your booking has another host',
    released: 'Your booking has another host',
    seats_changed: 'The number of participants has changed',
    reminder: 'Reminder of your booking',
  },
};

const host: Readonly<Record<Locale, Headlines>> = {
  ja: {
    requested: '予約の確認をお待ちしています',
    booked: '新しい予約が入りました',
    confirmed: '予約が確定しました',
    declined: '予約をお断りしました',
    expired: '確認待ちの予約が期限切れになりました',
    rescheduled: '予約の日時が変更されました',
    cancelled: '予約がキャンセルされました',
    assigned: '予約の担当になりました',
    released: '予約の担当から外れました',
    seats_changed: '参加人数が変わりました',
    reminder: '予約のお知らせ',
  },
  en: {
    requested: 'A booking waits for your confirmation',
    booked: 'New booking',
    confirmed: 'A booking is confirmed',
    declined: 'A booking was declined',
    expired: 'A booking that waited has expired',
    rescheduled: 'A booking was moved',
    cancelled: 'A booking was cancelled',
    assigned: 'You host a booking',
    released: 'You no longer host a booking',
    seats_changed: 'The number of participants has changed',
    reminder: 'Reminder of a booking',
  },
};

/** The headline of a mail. */
export function headlineOf(news: News | 'reminder', reader: Reader, locale: Locale): string {
  return (reader === 'host' ? host : guest)[locale][news];
}
