import type { Text } from '../../kernel/language.ts';

/** Why a mail of the platform has nothing to say any more when it is about to be sent; mails keep the English. */
export const pointless = {
  confirmed: { en: 'The address is confirmed already', ja: 'メールアドレスは確認済みです' },
  account_gone: { en: 'The account does not exist any more', ja: 'アカウントはもうありません' },
  invitation_closed: { en: 'The invitation is no longer open', ja: '招待は、もう受け付けていません' },
  replaced: {
    en: 'A later mail of the invitation has replaced this one',
    ja: '招待の新しいメールに置き換えられました',
  },
} satisfies Record<string, Text>;
