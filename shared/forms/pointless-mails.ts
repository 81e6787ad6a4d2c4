import type { Text } from '../kernel/language.ts';

/** Why a mail has nothing to say any more when it is about to be sent; mails keep the English. */
export const pointless = {
  removed: { en: 'The response was removed', ja: '回答が削除されました' },
  spam: { en: 'The response is spam', ja: '回答は迷惑投稿です' },
  taken_back: { en: 'The invitation was taken back', ja: '招待が取り消されました' },
  expired: { en: 'Its time is over', ja: '有効期限が過ぎました' },
} satisfies Record<string, Text>;
