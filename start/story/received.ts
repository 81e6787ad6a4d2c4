import type { Caller, Json } from './caller.ts';
import { paperOf } from './paper.ts';
import { type Teller, yen } from './teller.ts';

/** Who sells to the story's company, on which day (YYYY-MM-DD), and what sets its papers apart from those of other tellings. */
export type Purchase = { supplier_id: string; today: string; tag: string };

const FILTERS = { description: 'ペーパーフィルター（100枚入）', unit: '箱', unit_price: '240' };
const BAGS = { description: '紙袋', unit: '束', unit_price: '3000' };

const told = ({ received_invoice: { number, status, totals, match } }: Json) =>
  `${number}, ${status}: ${yen(totals.total)}, ${yen(totals.tax)} of it tax; match: ${match.status}`;

/** Books of today's fiscal year that follow what is approved and paid, and an approval that asks for a match. */
export async function prepared(api: Caller, tell: Teller, today: string): Promise<void> {
  tell.chapter(
    'How strict it is',
    'What was not ordered or never came is not approved; entries come by themselves.',
  );
  await api.patch(
    '/receive-settings',
    { match_policy: 'block' },
    ({ receive_settings }) => `an invoice that differs from its order: ${receive_settings.match_policy}`,
  );
  await api.post('/accounting/accounts/seed', undefined, ({ created }) => `${created} accounts`);
  const { items } = await api.get('/accounting/fiscal-years', ({ items }) => `${items.length} fiscal years`);
  if (!items.some(({ start_date, end_date }: Json) => start_date <= today && today <= end_date)) {
    const { year, month } = Temporal.PlainDate.from(today);
    const start = Temporal.PlainDate.from({ year: month < 4 ? year - 1 : year, month: 4, day: 1 });
    const end = start.add({ years: 1 }).subtract({ days: 1 });
    await api.post(
      '/accounting/fiscal-years',
      { start_date: start.toString(), end_date: end.toString() },
      ({ fiscal_year: { name } }) => name,
    );
  }
  await api.patch(
    '/accounting/settings',
    { auto_journal: 'post' },
    () => 'entries are posted in the same commit',
  );
}

/** An order, and a delivery of which not all is accepted; answers the order's ID. */
export async function deliveredShort(
  api: Caller,
  tell: Teller,
  { supplier_id, today, tag }: Purchase,
): Promise<string> {
  tell.chapter('An order, and what came', 'Of forty boxes two were crushed.');
  const line_items = [
    { ...FILTERS, quantity: '40' },
    { ...BAGS, quantity: '5' },
  ];
  const of_supplier = { company_id: supplier_id, issue_date: today, line_items };
  const { purchase_order } = await api.post('/purchase-orders', of_supplier, (answer) =>
    yen(answer['purchase_order'].totals.total),
  );
  for (const step of ['send', 'accept']) {
    await api.post(
      `/purchase-orders/${purchase_order.id}/${step}`,
      undefined,
      (answer) => `${answer['purchase_order'].number}, ${answer['purchase_order'].status}`,
    );
  }
  const note = await api.post(
    '/receive-delivery-notes',
    { ...of_supplier, number: `N-${tag}`, purchase_order_id: purchase_order.id },
    ({ received_delivery_note: { number, status } }) => `${number}, ${status}`,
  );
  const { id, line_items: lines } = note['received_delivery_note'];
  await api.post(
    `/receive-delivery-notes/${id}/confirm`,
    { lines: [{ id: lines[0].id, accepted_quantity: '38', reason: '2箱が破損' }] },
    ({ received_delivery_note }) =>
      `${received_delivery_note.status}: ${received_delivery_note.line_items
        .map(
          ({ description, quantity, accepted_quantity }: Json) =>
            `${accepted_quantity} of ${quantity} ${description}`,
        )
        .join(', ')}`,
  );
  return purchase_order.id;
}

/** An invoice for all that was ordered: what is wrong with it, and its second edition, which is approved. */
export async function correctedThenApproved(
  api: Caller,
  tell: Teller,
  purchase_order_id: string,
  { supplier_id, today, tag }: Purchase,
): Promise<Json> {
  tell.chapter('The invoice', 'It bills all that was ordered; the match knows what was accepted.');
  const number = `KN-${tag}`;
  const billed = (quantity: string) => [
    { ...FILTERS, quantity },
    { ...BAGS, quantity: '5' },
  ];
  const paper = (total: string) => paperOf([`INVOICE ${number}`, 'Konan Packaging', `Total ${total} yen`]);
  const sent = {
    number,
    company_id: supplier_id,
    purchase_order_id,
    registration_number: 'T7000012050002',
    issue_date: today,
    bank_account: {
      bank: '横浜銀行',
      bank_code: '0138',
      branch: '港南支店',
      branch_code: '371',
      number: '7654321',
      holder: '港南包装株式会社',
      holder_kana: 'コウナンホウソウ（カ',
    },
    line_items: billed('40'),
  };
  const first = { name: '請求書.pdf', type: 'application/pdf', bytes: paper('27,060') };
  const { received_invoice } = await api.postFiled(
    '/received-invoices',
    first,
    { data: JSON.stringify(sent) },
    (answer) => {
      const [file] = answer['received_invoice'].files;
      return `${told(answer)}; ${file.file_name}, SHA-256 ${file.sha256}`;
    },
  );
  const path = `/received-invoices/${received_invoice.id}`;
  await api.refused('/received-invoices', sent, ({ code }) => `${code}: nobody registers it twice`);
  await api.refused(`${path}/approve`, {}, ({ code }) => `${code}: 40 billed, 38 accepted`);
  tell.chapter(
    'Its second edition',
    'The new file takes the place of the first, which is kept all the same.',
  );
  const second = { name: '請求書（訂正）.pdf', type: 'application/pdf', bytes: paper('26,532') };
  await api.postFiled(`${path}/files`, second, { supersedes: received_invoice.files[0].id }, (answer) =>
    answer['received_invoice'].files
      .map(({ file_name, superseded_by }: Json) => `${file_name}${superseded_by ? ', superseded' : ''}`)
      .join('; '),
  );
  await api.patch(path, { line_items: billed('38'), stated_total: 26_532 }, told);
  const approved = await api.post(`${path}/approve`, undefined, told);
  await entriesOf(api, received_invoice.id);
  await api.download(`${path}/pdf`, '1 invoice.pdf');
  return approved['received_invoice'];
}

/** An invoice without a registration number, stated as it is printed: a share of its tax may be deducted. */
export async function fromSmallSupplier(api: Caller, tell: Teller, { today, tag }: Purchase): Promise<Json> {
  tell.chapter(
    'A supplier without a number',
    'What the law leaves of the tax on this day goes to the books by itself.',
  );
  const { received_invoice } = await api.post(
    '/received-invoices',
    {
      number: `D-${tag}`,
      company_name: '港町デザイン',
      issue_date: today,
      due_date: today,
      subject: 'ロゴの改訂',
      stated_breakdown: [{ tax_category: 'standard', gross: 110_000 }],
      stated_total: 110_000,
    },
    ({ received_invoice: { input_tax } }) =>
      `${input_tax.basis}: ${yen(input_tax.deductible)} of ${yen(input_tax.tax)} tax may be deducted, ${yen(input_tax.expense)} are expense`,
  );
  const { id } = received_invoice;
  const approved = await api.post(`/received-invoices/${id}/approve`, undefined, told);
  await entriesOf(api, id);
  return approved['received_invoice'];
}

/** What is due, the file for the bank, and the payments. */
export async function paid(
  api: Caller,
  tell: Teller,
  { by_bank, in_cash, today }: { by_bank: Json; in_cash: Json; today: string },
): Promise<void> {
  const due = () =>
    api.get('/received-invoices/due', ({ groups, balance }) =>
      [
        ...groups.map((group: Json) => `${group['due_date']} ${yen(group['balance'])}`),
        `in all ${yen(balance)}`,
      ].join(', '),
    );
  tell.chapter(
    'What is due',
    'A file that a bank takes, one transfer an account; nothing is paid by making it.',
  );
  await due();
  const transfers = { ids: [by_bank['id']], date: today };
  const { job } = await api.post(
    '/received-invoices/transfer-file',
    transfers,
    (answer) => answer['job'].status,
  );
  await api.follow(job);
  await api.get(
    `/jobs/${job.id}`,
    ({ job: { result } }) => `${result.records} transfer of ${yen(result.amount)}, SHA-256 ${result.sha256}`,
  );
  await api.download(`/jobs/${job.id}/file`, '2 transfers.txt');
  await api.refused(
    '/received-invoices/transfer-file',
    transfers,
    ({ code }) => `${code}: nobody is paid twice`,
  );
  tell.chapter(
    'The payments',
    'The supplier bears the fee: less reaches it, and the invoice is paid all the same.',
  );
  const fee = { fee_amount: 550, fee_borne_by: 'supplier' };
  for (const [{ id }, body] of [
    [by_bank, fee],
    [in_cash, { method: 'cash' }],
  ] as const) {
    const { payment } = await api.post(
      `/received-invoices/${id}/mark-paid`,
      body,
      ({ received_invoice, payment }) =>
        `${received_invoice.status}; ${yen(payment.transferred_amount)} reach the supplier`,
    );
    await entriesOf(api, payment.id);
  }
  await due();
}

/** The chain and the files are verified, and leave as a zip. */
export async function proven(api: Caller, tell: Teller): Promise<void> {
  tell.chapter(
    'Evidence',
    'Every change is a link of a chain of hashes; a worker recomputes it, and every file.',
  );
  const verified = await api.post('/evidence/verify', undefined, ({ job }) => job.status);
  await api.follow(verified['job']);
  await api.get(
    `/jobs/${verified['job'].id}`,
    ({ job: { result } }) => `ok: ${result.ok}, ${result.entries} entries, ${result.files} files`,
  );
  const exported = await api.post('/evidence/export', { kind: 'invoice' }, ({ job }) => job.status);
  await api.follow(exported['job']);
  await api.download(`/jobs/${exported['job'].id}/file`, '3 evidence.zip');
}

/** Tells the entries of an invoice or a payment. */
async function entriesOf(api: Caller, source_id: string): Promise<void> {
  await api.get(`/accounting/journals?source_id=${source_id}`, (answer) =>
    (answer['data'] ?? answer['items'])
      .map(({ number, lines }: Json) => {
        const sides = lines.map(
          ({ account_name, debit, credit }: Json) => `${account_name} ${yen(debit - credit)}`,
        );
        return `no. ${number}: ${sides.join(', ')}`;
      })
      .join('; '),
  );
}
