import type { Text } from '../kernel/language.ts';

/** Why a mail has nothing to say any more when it is about to be sent; mails keep the English. */
export const pointless = {
  moved_on: { en: 'The month went on since', ja: 'その後、月の状態が変わりました' },
  no_address: { en: 'The member has no address', ja: 'メンバーのメールアドレスがありません' },
  cancelled: { en: 'The request was cancelled since', ja: 'その後、申請が取り消されました' },
} satisfies Record<string, Text>;
