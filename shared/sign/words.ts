import { words } from '../kernel/vocabulary.ts';

/** The words of sign. Words are never renamed: callers store them. */
export const signWords = words({
  prefixes: { sign_document: 'doc', signer: 'signer', sign_field: 'sfld', sign_event: 'sevt' },
  failures: {
    seal_key_missing: {
      status: 409,
      title: {
        en: 'This installation has no key to seal documents with',
        ja: 'この環境には書類を封印する鍵がありません',
      },
      help: {
        en: 'An operator sets SIGN_P12 to a PKCS #12 file that can be opened; "npm run doctor" tells what is wrong with it.',
        ja: '運用担当者がSIGN_P12に読み込めるPKCS #12ファイルを設定してください。「npm run doctor」で原因を確認できます。',
      },
    },
    seal_key_expired: {
      status: 409,
      title: {
        en: 'The certificate that seals documents is not valid now',
        ja: '書類を封印する証明書が有効期間外です',
      },
      help: {
        en: 'An operator sets SIGN_P12 to a file with a certificate that is valid, and starts the service anew.',
        ja: '運用担当者が有効な証明書を含むファイルをSIGN_P12に設定し、サービスを再起動してください。',
      },
    },
  },
  events: [],
});

declare module '../kernel/vocabulary.ts' {
  interface Vocabulary {
    sign: typeof signWords;
  }
}
