import { words } from '../kernel/vocabulary.ts';

/** The words of accounting. Words are never renamed: callers store them. */
export const accountingWords = words({
  prefixes: {
    ledger_account: 'acc',
    journal: 'je',
    journal_line: 'jel',
    fiscal_year: 'fy',
    period_lock: 'lock',
    approval: 'appr',
    accounting_document: 'adoc',
    journal_import: 'jimp',
  },
  failures: {
    no_fiscal_year: {
      status: 422,
      title: { en: 'No fiscal year holds the day', ja: 'この日付を含む会計年度がありません' },
      help: {
        en: 'Make the year with POST /api/v1/accounting/fiscal-years, or send a day of one that is there.',
        ja: 'POST /api/v1/accounting/fiscal-years で会計年度を作成するか、既存の年度内の日付を指定してください。',
      },
    },
    across_fiscal_years: {
      status: 422,
      title: { en: 'The days are not within one fiscal year', ja: '期間が1つの会計年度に収まっていません' },
      help: {
        en: 'Send days of one fiscal year, or its ID; only the journal book and the general ledger span several.',
        ja: '1つの会計年度に収まる期間、または会計年度のIDを指定してください。複数年度にまたがれるのは仕訳帳と総勘定元帳だけです。',
      },
    },
    not_contiguous: {
      status: 422,
      title: { en: 'Fiscal years must follow each other', ja: '会計年度は連続している必要があります' },
      help: {
        en: 'Begin the year on the day after the end of the one before it, or end it on the day before the next.',
        ja: '前年度の終了日の翌日から始めるか、翌年度の開始日の前日で終わるように指定してください。',
      },
    },
    fiscal_year_closed: {
      status: 409,
      title: { en: 'The fiscal year is closed', ja: 'この会計年度は締め切られています' },
      help: {
        en: 'Send a day of an open year, or reopen the year first with POST /api/v1/accounting/fiscal-years/{id}/reopen.',
        ja: '未締めの年度の日付を指定するか、POST /api/v1/accounting/fiscal-years/{id}/reopen で先に締めを解除してください。',
      },
    },
    period_locked: {
      status: 409,
      title: { en: 'The period is locked', ja: 'この期間はロックされています' },
      help: {
        en: 'Send a day outside of it, or remove the lock that "lock_id" names. A soft lock lets holders of settings:write through.',
        ja: '期間外の日付を指定するか、「lock_id」のロックを解除してください。levelがsoftのロックはsettings:writeの保有者なら記帳できます。',
      },
    },
    unbalanced: {
      status: 422,
      title: { en: 'Debits and credits differ', ja: '借方と貸方の合計が一致しません' },
      help: {
        en: 'Change the lines so that both sums are equal; "detail" names them.',
        ja: '借方合計と貸方合計が等しくなるように明細を修正してください。合計は「detail」に示されています。',
      },
    },
    amount_too_large: {
      status: 422,
      title: { en: 'The sums are too large', ja: '合計金額が大きすぎます' },
      help: {
        en: 'The sums of an account in a month have at most 15 digits; book a part in another account or month.',
        ja: '1つの勘定科目の月間合計は15桁以内です。別の科目または別の月に分けて記帳してください。',
      },
    },
    inactive_account: {
      status: 422,
      title: { en: 'The account takes no new lines', ja: '無効な勘定科目には記帳できません' },
      help: {
        en: 'Choose another account, or set is_active of this one to true.',
        ja: '別の勘定科目を選ぶか、この科目のis_activeをtrueにしてください。',
      },
    },
    not_first_day: {
      status: 422,
      title: {
        en: 'Opening balances belong on the first day of the first year',
        ja: '開始残高は最初の会計年度の初日に記帳します',
      },
      help: {
        en: 'Send the first day of the organization’s first fiscal year. Later openings follow from the books.',
        ja: '組織の最初の会計年度の初日を指定してください。翌年度以降の開始残高は帳簿から自動的に決まります。',
      },
    },
    opening_exists: {
      status: 409,
      title: { en: 'The books have opening balances', ja: '開始残高が記帳済みです' },
      help: {
        en: 'An earlier year cannot be added before them; void the opening entry first.',
        ja: 'それより前の年度は追加できません。先に開始残高の仕訳を取り消してください。',
      },
    },
    approval_required: {
      status: 409,
      title: { en: 'The entry needs an approval first', ja: 'この仕訳は承認が必要です' },
      help: {
        en: 'Send it to POST /api/v1/accounting/journals/{id}/submit and have it approved; the settings ask for that.',
        ja: 'POST /api/v1/accounting/journals/{id}/submit で申請し、承認を受けてください。設定で承認が必須になっています。',
      },
    },
    four_eyes: {
      status: 403,
      title: { en: 'Somebody else must approve the entry', ja: 'この仕訳は別の人が承認する必要があります' },
      help: {
        en: 'Who wrote, changed or submitted an entry may not approve it. A key counts as who made it.',
        ja: '作成・編集・申請した本人は承認できません。APIキーはその作成者として扱われます。',
      },
    },
    not_approver: {
      status: 403,
      title: { en: 'You are not among the approvers', ja: '承認者に指定されていません' },
      help: {
        en: 'The approvers that the settings named when the entry was submitted may approve it.',
        ja: '申請時の設定で指定されていた承認者だけが承認できます。',
      },
    },
    not_author: {
      status: 403,
      title: {
        en: 'Only the author or who submitted it may withdraw it',
        ja: '取り下げできるのは作成者か申請者だけです',
      },
      help: {
        en: 'Ask one of them, or have it rejected by an approver.',
        ja: '作成者か申請者に依頼するか、承認者に差し戻してもらってください。',
      },
    },
    document_frozen: {
      status: 409,
      code: 'frozen',
      title: { en: 'The document cannot change any more', ja: 'この証憑は変更できません' },
      help: {
        en: 'It was discarded. Register the file again as a new document.',
        ja: '破棄済みです。必要ならファイルを新しい証憑として登録してください。',
      },
    },
    journal_frozen: {
      status: 409,
      code: 'frozen',
      title: { en: 'The entry cannot change any more', ja: 'この仕訳は変更できません' },
      help: {
        en: 'A draft or a rejected entry changes. Withdraw a submitted one; void a posted one and write it anew.',
        ja: '変更できるのは下書きか差し戻しの仕訳だけです。申請中なら取り下げ、記帳済みなら取り消して作り直してください。',
      },
    },
    account_map_incomplete: {
      status: 409,
      title: { en: 'The account map lacks an account', ja: 'account_mapに勘定科目が足りません' },
      help: {
        en: 'Choose accounts for the places that "detail" names, with PATCH /api/v1/accounting/settings.',
        ja: '「detail」に示された項目の勘定科目を PATCH /api/v1/accounting/settings で指定してください。',
      },
    },
    close_blocked: {
      status: 409,
      title: { en: 'The year cannot be closed yet', ja: '年度を締められません' },
      help: {
        en: '"blockers" says what stands in the way, with up to 100 IDs each. dry_run shows the same without closing.',
        ja: '「blockers」に理由と最大100件のIDが示されています。dry_runを指定すると、締めずに同じ内容を確認できます。',
      },
    },
    no_tax_category: {
      status: 422,
      title: { en: 'No tax category is for the rate', ja: 'この税率に対応する税区分がありません' },
      help: {
        en: 'The books have categories for rates from 2014-04-01 on; book what "missing" names with POST /api/v1/accounting/journals.',
        ja: '会計の税区分は2014年4月1日以降の税率に対応しています。「missing」に示された税率の取引は POST /api/v1/accounting/journals で記帳してください。',
      },
    },
    nothing_to_post: {
      status: 409,
      title: { en: 'All amounts are 0', ja: '金額がすべて0円です' },
      help: {
        en: 'Nothing is to be booked for a record without amounts.',
        ja: '金額のない取引に記帳する内容はありません。',
      },
    },
    no_open_day: {
      status: 409,
      title: { en: 'No day is open for the reversal', ja: '取消仕訳を記帳できる日がありません' },
      help: {
        en: 'Every day from that of the entry that "journal_id" names to today is locked or in a closed year. Send a later "posting_date" that is open, remove a period lock, or reopen the year.',
        ja: '「journal_id」の仕訳の日付から今日までに、記帳できる日がありません。記帳できる日付を「posting_date」に指定するか、期間ロックまたは年度の締めを解除してください。',
      },
    },
    has_journal: {
      status: 409,
      title: { en: 'The record has an entry already', ja: 'この取引には仕訳があります' },
      help: {
        en: '"journal_id" names it. Void it first to post another one.',
        ja: '仕訳は「journal_id」に示されています。別の仕訳を記帳するには、先にそれを取り消してください。',
      },
    },
  },
  events: [],
});

declare module '../kernel/vocabulary.ts' {
  interface Vocabulary {
    accounting: typeof accountingWords;
  }
}
