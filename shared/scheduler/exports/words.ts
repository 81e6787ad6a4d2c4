import { places } from '../mails/words.ts';

/** What stands in the cells of a file in Japanese in place of the API's words, by the columns of bookings. */
export const bookingWords = {
  status: {
    pending: '承認待ち',
    confirmed: '確定',
    completed: '完了',
    declined: 'お断り',
    expired: '期限切れ',
    cancelled: 'キャンセル',
    no_show: '来訪なし',
  },
  guest_locale: { ja: '日本語', en: '英語' },
  location_type: places.ja,
  source: { public: '予約ページ', staff: '担当者', proposal: '日程の提案' },
  cancelled_by: { guest: 'お客様', staff: '担当者' },
  calendar_sync: { none: 'なし', pending: '書き込み待ち', written: '書き込み済み', failed: '失敗' },
};
