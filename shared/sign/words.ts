import { words } from '../kernel/vocabulary.ts';

/** The words of sign. Words are never renamed: callers store them. */
export const signWords = words({
  prefixes: {
    sign_document: 'doc',
    signer: 'signer',
    sign_field: 'sfld',
    sign_event: 'sevt',
    sign_code: 'scode',
  },
  failures: {
    sign_document_frozen: {
      status: 409,
      code: 'frozen',
      title: { en: 'The document is frozen', ja: '書類は変更できません' },
      help: {
        en: 'What its signers see does not change once it was sent. "changeable" names what still can be changed.',
        ja: '送信後は、署名者に表示される内容を変更できません。変更できる項目は「changeable」のとおりです。',
      },
    },
    not_issued: {
      status: 409,
      title: { en: 'The record of the source is a draft', ja: '元の書類がまだ発行されていません' },
      help: {
        en: 'Issue it first: the PDF of a draft still changes.',
        ja: '先に発行してください。下書きのPDFは内容が変わる可能性があります。',
      },
    },
    access_required: {
      status: 403,
      title: { en: 'The document has not been opened', ja: '書類がまだ開かれていません' },
      help: {
        en: 'Open it with POST /sign/s/{token}/access, and send the cookie that is answered.',
        ja: 'POST /sign/s/{token}/access で開き、応答のCookieを送信してください。',
      },
    },
    wrong_code: {
      status: 403,
      title: { en: 'The code is not right', ja: 'コードが正しくありません' },
      help: {
        en: '"attempts_left" says how many more tries there are. A mailed code works for 10 minutes, and once.',
        ja: '残りの回数は「attempts_left」に示されています。メールで届くコードの有効期間は10分で、使えるのは1回です。',
      },
    },
    signing_expired: {
      status: 409,
      code: 'expired',
      title: { en: 'The time to sign is over', ja: '署名の期限が過ぎています' },
      help: {
        en: 'Ask the sender for a new document.',
        ja: '送信者に、あらためて送信するよう依頼してください。',
      },
    },
    not_your_turn: {
      status: 409,
      title: { en: 'Others sign first', ja: 'まだ署名の順番ではありません' },
      help: {
        en: 'A mail arrives when the turn has come.',
        ja: '順番になるとメールが届きます。',
      },
    },
    consent_changed: {
      status: 409,
      title: { en: 'The text of the consent has changed', ja: '同意の文面が変更されています' },
      help: {
        en: 'Read it again with GET /sign/s/{token}, and send its version.',
        ja: 'GET /sign/s/{token} で文面を読み直し、そのバージョンを送信してください。',
      },
    },
    document_changed: {
      status: 409,
      title: {
        en: 'The document is not the one that was shown',
        ja: '書類の内容が表示されたものと異なります',
      },
      help: {
        en: 'Read it again with GET /sign/s/{token}, and send the hashes of what that shows.',
        ja: 'GET /sign/s/{token} で読み直し、表示された内容のハッシュを送信してください。',
      },
    },
    forward_not_allowed: {
      status: 409,
      title: { en: 'This document may not be passed on', ja: 'この書類は転送できません' },
      help: {
        en: 'Ask the sender to send it to the other person.',
        ja: '送信者に、ほかの方へ送るよう依頼してください。',
      },
    },
    no_code_needed: {
      status: 409,
      title: {
        en: 'This document opens without a mailed code',
        ja: 'この書類を開くのにメールのコードは不要です',
      },
      help: {
        en: '"auth" of the document says what it asks for.',
        ja: '必要なものは、書類の「auth」に示されています。',
      },
    },
    access_locked: {
      status: 429,
      title: {
        en: 'Wrong codes have locked the document',
        ja: '誤ったコードが続いたため、開けなくなっています',
      },
      help: {
        en: 'Wait until "locked_until"; where that is null, ask the sender to unlock it.',
        ja: '「locked_until」までお待ちください。null の場合は、送信者にロックの解除を依頼してください。',
      },
    },
    not_sendable: {
      status: 422,
      title: { en: 'The document cannot be sent yet', ja: 'この書類はまだ送信できません' },
      help: {
        en: '"errors" has all that is missing or does not fit.',
        ja: '不足している点や誤っている点は、すべて「errors」に示されています。',
      },
    },
    document_retained: {
      status: 409,
      code: 'retention_active',
      title: { en: 'The document is kept until a date', ja: '書類には保管期限があります' },
      help: {
        en: 'It has to be kept until "retention_until"; no one can shorten that.',
        ja: '「retention_until」の日までは保管が必要です。期限は短縮できません。',
      },
    },
    too_soon: {
      status: 429,
      title: { en: 'Nobody can be reminded now', ja: 'いま催促できる署名者がいません' },
      help: {
        en: 'A signer is reminded by hand once an hour at most. "skipped" says why for each.',
        ja: '手動の催促は、署名者1人につき1時間に1回までです。理由は「skipped」に示されています。',
      },
    },
    seal_key_missing: {
      status: 409,
      title: {
        en: 'This installation has no key to seal documents with',
        ja: 'この環境には、署名済みの書類に付ける電子署名の鍵がありません',
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
        ja: '署名済みの書類に付ける電子署名の証明書が、有効期間外です',
      },
      help: {
        en: 'An operator sets SIGN_P12 to a file with a certificate that is valid, and starts the service anew.',
        ja: '運用担当者が有効な証明書を含むファイルをSIGN_P12に設定し、サービスを再起動してください。',
      },
    },
  },
  events: [
    'sign.document.sent',
    'sign.document.signed',
    'sign.document.cancelled',
    'sign.signer.viewed',
    'sign.signer.signed',
    'sign.signer.declined',
  ],
});

declare module '../kernel/vocabulary.ts' {
  interface Vocabulary {
    sign: typeof signWords;
  }
}
