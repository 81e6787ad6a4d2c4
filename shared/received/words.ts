import { words } from '../kernel/vocabulary.ts';

/** The words of received documents. Words are never renamed: callers store them. */
export const receivedWords = words({
  prefixes: {
    received_invoice: 'rinv',
    received_quotation: 'rquo',
    received_purchase_order: 'rpo',
    received_delivery_note: 'rdn',
    received_file: 'rfile',
    received_payment: 'rpay',
  },
  failures: {
    duplicate_document: {
      status: 409,
      title: {
        en: 'The sender has a document of this number in this year already',
        ja: '同じ取引先・同じ年・同じ番号の書類が登録されています',
      },
      help: {
        en: '"existing_id" names it. Send "allow_duplicate": true where both are meant.',
        ja: '登録済みの書類は「existing_id」に示されています。両方とも必要な場合は「"allow_duplicate": true」を送信してください。',
      },
    },
    duplicate_file: {
      status: 409,
      title: {
        en: 'Another document of this kind has the same file',
        ja: '同じ種類の別の書類に同じファイルがあります',
      },
      help: {
        en: '"existing_id" names it. Send "allow_duplicate": true where both are meant.',
        ja: 'そのファイルがある書類は「existing_id」に示されています。両方とも必要な場合は「"allow_duplicate": true」を送信してください。',
      },
    },
    received_file_frozen: {
      status: 409,
      code: 'frozen',
      title: { en: 'The file is not replaced', ja: 'このファイルは差し替えられません' },
      help: {
        en: 'Files are replaced before the decision on their document, each once; send another file without "supersedes".',
        ja: 'ファイルを差し替えられるのは承認などの前だけで、1つにつき1回です。「supersedes」を付けずに追加してください。',
      },
    },
    incomplete: {
      status: 422,
      title: {
        en: 'The document lacks what a decision needs',
        ja: '書類に承認・検収に必要な項目が足りません',
      },
      help: {
        en: '"errors" names everything that is missing. Complete it with PATCH.',
        ja: '足りない項目はすべて「errors」に示されています。PATCHで補ってください。',
      },
    },
    own_document: {
      status: 409,
      code: 'self_approval',
      title: {
        en: 'Nobody approves what they registered themselves',
        ja: '自分が登録した請求書は自分で承認できません',
      },
      help: {
        en: 'Ask another person with approvals:write; "four_eyes" of the settings asks for two.',
        ja: 'approvals:write の権限を持つ別の人に依頼してください。設定の four_eyes が有効なため、2人での確認が必要です。',
      },
    },
    match_failed: {
      status: 409,
      title: {
        en: 'What is billed differs from what was ordered or accepted',
        ja: '請求の内容が発注または検収の内容と一致しません',
      },
      help: {
        en: '"match" of the invoice says where. Correct it, or send "override_match": true with an "override_reason".',
        ja: '相違点は請求書の「match」に示されています。訂正するか、「"override_match": true」と「override_reason」を送信してください。',
      },
    },
    bank_account_changed: {
      status: 409,
      title: {
        en: 'The bank account differs from that of the last approved invoice',
        ja: '振込先が前回承認した請求書と異なります',
      },
      help: {
        en: 'Ask the supplier in a way known before. Send "confirm_bank_account": true where the account is right.',
        ja: '以前から知っている連絡先で取引先に確認してください。正しい場合は「"confirm_bank_account": true」を送信してください。',
      },
    },
    received_quotation_expired: {
      status: 409,
      code: 'expired',
      title: { en: 'The quotation is past its validity', ja: '見積書の有効期限が過ぎています' },
      help: {
        en: 'Send "force": true to approve it all the same.',
        ja: 'それでも承認する場合は「"force": true」を送信してください。',
      },
    },
    received_frozen: {
      status: 409,
      code: 'frozen',
      title: {
        en: 'The document was decided on and cannot change',
        ja: '処理済みの受取書類は変更できません',
      },
      help: {
        en: 'After the decision only internal_memo, external_id, metadata and the due_date of an unpaid invoice change. Reopen the document to correct the rest.',
        ja: '処理後に変更できるのはinternal_memo、external_id、metadataと、未払いの請求書のdue_dateだけです。ほかを訂正するには書類をreopenしてください。',
      },
    },
    received_retained: {
      status: 409,
      code: 'retention_active',
      title: { en: 'The files of the document have to be kept', ja: '書類のファイルには保管期限があります' },
      help: {
        en: 'They are kept until "retention_until"; nothing removes them before. Reject the document instead.',
        ja: '「retention_until」の日までは保管が必要で、削除できません。代わりに書類をrejectしてください。',
      },
    },
    received_overpayment: {
      status: 422,
      code: 'overpayment',
      title: { en: 'The payment is more than what is owed', ja: '支払額が未払いの残高を超えています' },
      help: {
        en: '"detail" names the balance. Record what exceeds it elsewhere.',
        ja: '残高は「detail」に示されています。超える分は別に記録してください。',
      },
    },
    received_future_date: {
      status: 422,
      code: 'future_date',
      title: { en: 'The day of the payment lies ahead', ja: '支払日が未来の日付です' },
      help: {
        en: 'Send the day on which the money left. "allow_future": true takes a later one all the same.',
        ja: '実際に支払った日を指定してください。先の日付をそのまま登録する場合は「"allow_future": true」を送信してください。',
      },
    },
    in_transfer_file: {
      status: 409,
      title: { en: 'An invoice is in a transfer file already', ja: '振込データを作成済みの請求書があります' },
      help: {
        en: '"ids" names them. Leave them out, or send "again": true to pay them by another file.',
        ja: '該当する請求書は「ids」に示されています。除くか、もう一度作成する場合は「"again": true」を送信してください。',
      },
    },
  },
  events: [],
});

declare module '../kernel/vocabulary.ts' {
  interface Vocabulary {
    received: typeof receivedWords;
  }
}
