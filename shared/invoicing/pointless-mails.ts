import type { Text } from '../kernel/language.ts';

/** Why a mail has nothing to say any more when it is about to be sent; mails keep the English. */
export const pointless = {
  cancelled: { en: 'It was cancelled before it was sent', ja: '送信の前に中止されました' },
  document_cancelled: {
    en: 'The invoice was cancelled before it was sent',
    ja: '送信の前に請求書が取り消されました',
  },
  no_pdf: { en: 'The document has no PDF', ja: '書類のPDFがありません' },
} satisfies Record<string, Text>;
