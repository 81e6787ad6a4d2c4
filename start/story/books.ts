import type { Caller, Json } from './caller.ts';
import { type Teller, yen } from './teller.ts';

/** The first fiscal year of the company of the story: a quarter, all of it in the past. */
export type Quarter = { from: string; to: string; day: (month: 0 | 1 | 2, day: number) => string };

type Side = [account_code: string, amount: number, more?: Json];

const posted = ({ journal }: Json) =>
  `no. ${journal.number}, ${yen(journal.total)}: ${journal.description ?? journal.reference}`;

/** Posts an entry; amounts on the credit side are negative. */
async function post(api: Caller, date: string, description: string, sides: readonly Side[], more: Json = {}) {
  const lines = sides.map(([account_code, amount, fields]) => {
    return { account_code, ...(amount > 0 ? { debit: amount } : { credit: -amount }), ...fields };
  });
  const body = { date, description, lines, post: true, ...more };
  return api.post('/accounting/journals', body, posted);
}

/** The chart, the first fiscal year, and books that follow the invoices. */
export async function opened(api: Caller, tell: Teller, { from, to, day }: Quarter): Promise<string> {
  tell.chapter(
    'The books',
    '150 accounts, a first fiscal year of three months, and entries that invoices make.',
  );
  await api.post('/accounting/accounts/seed', undefined, ({ created }) => `${created} accounts`);
  const { fiscal_year } = await api.post(
    '/accounting/fiscal-years',
    { start_date: from, end_date: to },
    ({ fiscal_year: { name, start_date, end_date } }) => `${name}: ${start_date} to ${end_date}`,
  );
  await api.patch('/accounting/settings', { auto_journal: 'post' }, () => {
    return 'approved invoices, credit notes and payments are posted in the same commit';
  });
  await post(api, day(0, 1), '資本金の払込み', [
    ['1140', 5_000_000],
    ['3110', -5_000_000],
  ]);
  await post(api, day(0, 3), '運転資金の借入れ', [
    ['1140', 2_000_000],
    ['2520', -2_000_000],
  ]);
  return fiscal_year.id;
}

/** Two invoices and a payment less its fee: their entries come by themselves. */
export async function sold(api: Caller, tell: Teller, company_id: string, { day }: Quarter): Promise<void> {
  tell.chapter('Sales', 'Nobody writes these entries: they commit with the invoice and the payment.');
  const invoice = async (issue_date: string, quantity: string) => {
    const made = await api.post(
      '/invoices',
      {
        company_id,
        issue_date,
        line_items: [
          {
            description: 'エチオピア 1kg',
            quantity,
            unit: '袋',
            unit_price: '4200',
            tax_category: 'reduced',
          },
          { description: 'バリスタ研修', quantity: '10', unit: '時間', unit_price: '8000' },
        ],
      },
      (answer) => yen(answer['invoice'].totals.total),
    );
    const { id } = made['invoice'];
    return (await api.post(`/invoices/${id}/approve`, undefined, ({ invoice }) => invoice.number))['invoice'];
  };
  const first = await invoice(day(0, 20), '300');
  await invoice(day(2, 10), '200');
  const { payment } = await api.post(
    `/invoices/${first.id}/payments`,
    { amount: first.balance, paid_on: day(1, 31), fee_amount: 440 },
    ({ payment }) => `${yen(payment.received_amount)} came in, the bank kept ${yen(payment.fee_amount)}`,
  );
  await api.get(`/accounting/journals?source_id=${payment.id}`, (answer) => {
    const [{ number, lines }] = answer['data'] ?? answer['items'];
    const sides = lines.map(
      ({ account_name, debit, credit }: Json) => `${account_name} ${yen(debit - credit)}`,
    );
    return `no. ${number}: ${sides.join(', ')}`;
  });
}

/** What a small company pays in three months, with the tax split off. */
export async function spent(api: Caller, tell: Teller, { day }: Quarter): Promise<void> {
  tell.chapter(
    'Costs',
    '`auto_tax` splits the consumption tax off, also the part that may be deducted without a number.',
  );
  await post(api, day(0, 25), '店舗家賃', [
    ['6340', 220_000, { auto_tax: true }],
    ['1140', -220_000],
  ]);
  await post(api, day(1, 8), '生豆の仕入れ（免税事業者から）', [
    ['5125', 540_000, { tax_category: 'P8RT80', auto_tax: true }],
    ['2120', -540_000],
  ]);
  await post(api, day(1, 10), '焙煎機', [
    ['1630', 1_320_000, { auto_tax: true }],
    ['1140', -1_320_000],
  ]);
  await post(api, day(1, 25), '給与（2名）', [
    ['6120', 600_000],
    ['6150', 90_000],
    ['2365', -14_000],
    ['2360', -180_000],
    ['1140', -496_000],
  ]);
  const wrong = await post(api, day(2, 5), '交通費（二重）', [
    ['6230', 3_300, { auto_tax: true }],
    ['1110', -3_300],
  ]);
  await api.post(
    `/accounting/journals/${wrong['journal'].id}/void`,
    { reason: '二重計上' },
    ({ reversal }) => {
      return `no. ${reversal.number} takes it back`;
    },
  );
  await post(api, day(2, 28), '借入金の返済', [
    ['2520', 100_000],
    ['7210', 6_000],
    ['1140', -106_000],
  ]);
}

/** Depreciation and taxes, the close that says what is in its way, and the close. */
export async function closed(api: Caller, tell: Teller, year_id: string, { to }: Quarter): Promise<void> {
  tell.chapter('The end of the year', 'Adjustments; then the year says what stands in the way of its close.');
  const adjusting = { kind: 'adjusting' };
  await post(
    api,
    to,
    '減価償却費',
    [
      ['6410', 60_000],
      ['1690', -60_000],
    ],
    adjusting,
  );
  await post(
    api,
    to,
    '期末商品',
    [
      ['1410', 150_000],
      ['5190', -150_000],
    ],
    adjusting,
  );
  await post(
    api,
    to,
    '法人税等',
    [
      ['9110', 70_000],
      ['2330', -70_000],
    ],
    adjusting,
  );
  const { journal } = await api.post(
    '/accounting/journals',
    {
      date: to,
      description: '確認中の経費',
      lines: [
        { account_code: '6490', debit: 1_000 },
        { account_code: '1110', credit: 1_000 },
      ],
    },
    ({ journal }) => `a ${journal.status}, which has no number`,
  );
  const close = `/accounting/fiscal-years/${year_id}/close`;
  await api.post(close, { dry_run: true }, ({ blockers }) =>
    blockers.map(({ code, count }: Json) => `${code}: ${count}`).join(', '),
  );
  await api.post(`/accounting/journals/${journal.id}/post`, undefined, posted);
  await api.post(close, {}, ({ fiscal_year, closing_journal, next_fiscal_year }) => {
    return `${fiscal_year.name} is ${fiscal_year.status} by no. ${closing_journal.number}; ${next_fiscal_year.name} has begun`;
  });
}

/** The reports as people read them, and as programs do. */
export async function reported(api: Caller, tell: Teller, year_id: string): Promise<void> {
  tell.chapter('The reports', 'Each as JSON in milliseconds, and as CSV and PDF.');
  const of = (name: string) => `/accounting/reports/${name}?fiscal_year_id=${year_id}`;
  await api.get(of('income-statement'), ({ report }) => `net income ${yen(report.stages.net_income)}`);
  await api.get(
    of('balance-sheet'),
    ({ report }) => `assets ${yen(report.totals.assets)}, balanced: ${report.balanced}`,
  );
  await api.get(of('cash-flow-statement'), ({ report }) => {
    return `cash ${yen(report.opening_cash)} ${yen(report.change)} ${yen(report.closing_cash)}, balanced: ${report.balanced}`;
  });
  const files = [
    'trial-balance',
    'balance-sheet',
    'income-statement',
    'cash-flow-statement',
    'consumption-tax',
    'journal-book',
  ];
  for (const [place, name] of files.entries()) {
    await api.download(`${of(name)}&format=pdf`, `${place + 1} ${name}.pdf`);
  }
  await api.download(`${of('journal-book')}&format=csv`, 'journal-book.csv');
}
