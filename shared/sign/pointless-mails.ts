import type { Text } from '../kernel/language.ts';

/** Why a mail has nothing to say any more when it is about to be sent; mails keep the English. */
export const pointless = {
  not_awaited: {
    en: 'The document or its signer does not wait for this mail any more',
    ja: '書類または署名者に、このメールはもう必要ありません',
  },
} satisfies Record<string, Text>;
