/*
 * What stands in the cells of a file in Japanese in place of the API's words; what an import takes is among the words that it
 * knows.
 */

const daysOfMonth = { end: '末日' };

/** By the columns of companies. */
export const companyWords = {
  'payment_terms.closing_day': daysOfMonth,
  'payment_terms.months_later': {
    0: '当月',
    1: '翌月',
    2: '翌々月',
    3: '3か月',
    4: '4か月',
    5: '5か月',
    6: '6か月',
  },
  'payment_terms.pay_day': daysOfMonth,
};

/** By the columns of deals. */
export const dealWords = { status: { open: '進行中', won: '受注', lost: '失注' } };

/** By the columns of activities. */
export const activityWords = {
  type: { note: 'メモ', call: '電話', email: 'メール', meeting: '打ち合わせ' },
};
