import { words } from '../kernel/vocabulary.ts';

/** The words of invoicing. Words are never renamed: callers store them. */
export const invoicingWords = words({
  prefixes: {
    quotation: 'quo',
    invoice: 'inv',
    delivery_note: 'dn',
    purchase_order: 'po',
    credit_note: 'cn',
    document_line: 'li',
    payment: 'pay',
    document_import: 'iimp',
    deposit: 'dep',
    deposit_import: 'dimp',
    deposit_refund: 'dref',
  },
  failures: {
    frozen: {
      status: 409,
      title: { en: 'The document was issued and cannot change', ja: '発行済みの書類は変更できません' },
      help: {
        en: 'After issue only internal_memo, external_id and metadata change. Revise the document, or correct it with a credit note.',
        ja: '発行後に変更できるのはinternal_memo、external_id、metadataだけです。書類を改訂するか、返還請求書で訂正してください。',
      },
    },
    already_converted: {
      status: 409,
      title: { en: 'The document was converted already', ja: 'この書類は変換済みです' },
      help: {
        en: '"converted_to" names what it was converted into. Delete or cancel that one first to convert it again.',
        ja: '変換先は「converted_to」に示されています。もう一度変換するには、先に変換先を削除または取り消してください。',
      },
    },
    already_revised: {
      status: 409,
      title: { en: 'A revision of the document is open', ja: 'この書類の改訂版が作成中です' },
      help: {
        en: 'Approve or delete that draft first; "open_revision_id" names it.',
        ja: '先にその下書きを承認または削除してください。下書きは「open_revision_id」に示されています。',
      },
    },
    has_payments: {
      status: 409,
      title: { en: 'The invoice has payments', ja: 'この請求書には入金があります' },
      help: {
        en: 'Delete its payments first, or correct it with a credit note.',
        ja: '先に入金を削除するか、返還請求書で訂正してください。',
      },
    },
    has_credit_notes: {
      status: 409,
      title: { en: 'The invoice has credit notes', ja: 'この請求書には返還請求書があります' },
      help: {
        en: 'What was credited cannot be taken back; correct the rest with another credit note.',
        ja: '返還した分は取り消せません。残りは別の返還請求書で訂正してください。',
      },
    },
    quotation_expired: {
      status: 409,
      code: 'expired',
      title: { en: 'The quotation is past its validity', ja: '見積書の有効期限が過ぎています' },
      help: {
        en: 'Send "force": true to accept it all the same.',
        ja: 'それでも受注する場合は「"force": true」を送信してください。',
      },
    },
    overpayment: {
      status: 422,
      title: { en: 'The payment is more than what is owed', ja: '入金額が未入金の残高を超えています' },
      help: {
        en: '"detail" names the balance. Record what exceeds it elsewhere.',
        ja: '残高は「detail」に示されています。超える分は別に記録してください。',
      },
    },
    future_date: {
      status: 422,
      title: { en: 'The day lies more than 31 days ahead', ja: '31日より先の日付です' },
      help: {
        en: 'Check the year. Send "allow_future": true where the day is meant.',
        ja: '年を確かめてください。この日付で正しい場合は「allow_future」をtrueにしてください。',
      },
    },
    over_allocated: {
      status: 422,
      title: { en: 'More would be allocated than came in', ja: '割り当てる額が入金額を超えています' },
      help: {
        en: '"detail" names what is left of the deposit. Allocate less, or correct "fee_amount".',
        ja: '入金の残りは「detail」に示されています。割当額を減らすか、「fee_amount」を確かめてください。',
      },
    },
    companies_differ: {
      status: 422,
      title: {
        en: 'A deposit pays invoices of one company',
        ja: '1件の入金を割り当てられるのは、1つの取引先の請求書だけです',
      },
      help: {
        en: '"errors" names the invoices of others. Make a deposit for each company.',
        ja: 'ほかの取引先の請求書は「errors」に示されています。取引先ごとに入金を登録してください。',
      },
    },
    has_allocations: {
      status: 409,
      title: { en: 'The deposit pays invoices', ja: 'この入金は請求書に割り当てられています' },
      help: {
        en: 'Take its allocations back first.',
        ja: '先に割り当てを取り消してください。',
      },
    },
    has_refunds: {
      status: 409,
      title: { en: 'Part of the deposit was paid back', ja: 'この入金には返金があります' },
      help: {
        en: 'A refund is never taken back, so the deposit stays. Take its allocations back one by one.',
        ja: '返金は取り消せないため、入金は削除できません。割り当ては1件ずつ取り消せます。',
      },
    },
    no_match: {
      status: 422,
      title: {
        en: 'No invoices are a likely match of the deposit',
        ja: '入金に対応する請求書の候補が見つかりません',
      },
      help: {
        en: 'Look at "GET /deposits/suggestions", allocate it by hand, or set its "company_id".',
        ja: '「GET /deposits/suggestions」で候補を確かめるか、手で割り当てるか、「company_id」を設定してください。',
      },
    },
    ambiguous_match: {
      status: 422,
      title: {
        en: 'Several matches of the deposit are likely',
        ja: '入金に対応する請求書の候補が複数あります',
      },
      help: {
        en: '"detail" names them. Allocate the deposit to the right one by hand. Where it names one alone, there are more companies of this name (20), or more open invoices of the customer (40), than are compared: set the "company_id" of the deposit, or allocate it by hand.',
        ja: '候補は「detail」に示されています。正しいものに手で割り当ててください。候補が1件だけの場合は、同じ名前の取引先が20件を、または取引先の未入金の請求書が40件を超え、すべてを比べられていません。入金の「company_id」を設定するか、手で割り当ててください。',
      },
    },
    match_with_fee: {
      status: 422,
      title: { en: 'The deposit matches less a fee', ja: '振込手数料を差し引いた額で一致しています' },
      help: {
        en: 'Send "with_fee": true where we bear the fee.',
        ja: '手数料を自社で負担する場合は「with_fee」をtrueにしてください。',
      },
    },
    nothing_unallocated: {
      status: 409,
      title: { en: 'Nothing of the deposit is unallocated', ja: 'この入金に未割当の金額はありません' },
      help: {
        en: 'It is allocated or paid back already.',
        ja: 'すでに割り当て済みか、返金済みです。',
      },
    },
    over_credit: {
      status: 422,
      title: { en: 'More would be credited than was invoiced', ja: '返還額が請求額を超えます' },
      help: {
        en: '"errors" names the lines. Credit what is left of them at most.',
        ja: '該当する明細は「errors」に示されています。残りの範囲内で返還してください。',
      },
    },
    not_qualified: {
      status: 422,
      title: {
        en: 'The document lacks what a qualified invoice must hold',
        ja: '適格請求書に必要な記載事項が足りません',
      },
      help: {
        en: '"errors" names everything that is missing.',
        ja: '足りない項目はすべて「errors」に示されています。',
      },
    },
    modes_differ: {
      status: 422,
      title: {
        en: 'The documents differ in tax mode, rounding or withholding',
        ja: '書類の消費税の表示、端数処理または源泉徴収が異なります',
      },
      help: { en: 'Convert them into separate invoices.', ja: 'それぞれ別の請求書に変換してください。' },
    },
    no_recipient: {
      status: 422,
      title: { en: 'There is nobody to send the mail to', ja: 'メールの宛先がありません' },
      help: {
        en: 'Name recipients in "to", or give the contact or the company an e-mail address.',
        ja: '「to」に宛先を指定するか、担当者または取引先のメールアドレスを登録してください。',
      },
    },
  },
  events: [
    'invoice.created',
    'invoice.updated',
    'invoice.deleted',
    'invoice.approved',
    'invoice.sent',
    'invoice.paid',
    'invoice.cancelled',
    'conversion.completed',
  ],
});

declare module '../kernel/vocabulary.ts' {
  interface Vocabulary {
    invoicing: typeof invoicingWords;
  }
}
