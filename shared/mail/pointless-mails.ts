import type { Text } from '../kernel/language.ts';

/** Why a mail has nothing to say any more when it is about to be sent; mails keep the English. */
export const pointless = {
  erased: { en: 'The opt-in was erased', ja: '配信登録の申し込みが消去されました' },
  confirmed: { en: 'It is confirmed already', ja: 'すでに確認済みです' },
  expired: { en: 'Its time is over', ja: '有効期限が過ぎました' },
  addressee_erased: { en: 'Whoever it was for was erased', ja: '宛先の情報が消去されました' },
  campaign_gone: {
    en: 'The campaign, or the contact whose values it has, was removed',
    ja: 'キャンペーン、または差し込みに使う連絡先が削除されました',
  },
} satisfies Record<string, Text>;
