import type { Caller, Json } from './caller.ts';
import { type Teller, yen } from './teller.ts';

/** Days of the story, YYYY-MM-DD. */
export type Days = { today: string };

const totals = ({ totals: { total, tax } }: Json) => `${yen(total)}, ${yen(tax)} of it tax`;

const told = (document: Json) =>
  `${document['number'] ?? 'no number yet'}, ${document['status']}: ${totals(document)}`;

/** From the quotation to its acceptance. */
export async function quoted(api: Caller, tell: Teller, company_id: string, { today }: Days): Promise<Json> {
  tell.chapter(
    'A quotation',
    'Coffee is food at the reduced rate, the rest is not: tax is rounded once for each.',
  );
  const { quotation } = await api.post(
    '/quotations',
    {
      company_id,
      issue_date: today,
      subject: '新店舗の開業支援',
      line_items: [
        { type: 'text', description: '定期便' },
        {
          description: 'エチオピア イルガチェフェ ナチュラル 1kg',
          item_code: 'CB-ET-01',
          quantity: '12',
          unit: '袋',
          unit_price: '4200',
          tax_category: 'reduced',
        },
        {
          description: 'ブラジル サントス No.2 1kg',
          item_code: 'CB-BR-02',
          quantity: '30',
          unit: '袋',
          unit_price: '2800',
          tax_category: 'reduced',
        },
        { description: 'ペーパーフィルター（100枚入）', quantity: '20', unit: '箱', unit_price: '380' },
        { description: 'バリスタ研修', quantity: '2.5', unit: '時間', unit_price: '8000' },
        { description: '開業割引', unit_price: '-3000', tax_category: 'reduced' },
      ],
    },
    (answer) => told(answer['quotation']),
  );
  await api.download(`/quotations/${quotation.id}/pdf`, '1 quotation, draft.pdf');
  const sent = await api.post(
    `/quotations/${quotation.id}/send-email`,
    undefined,
    ({ quotation: { status, email } }) => `${status}; the mail to ${email.to.join(', ')} is ${email.status}`,
  );
  await api.follow(sent['job']);
  await api.download(`/quotations/${quotation.id}/pdf`, '2 quotation.pdf');
  const accepted = await api.post(`/quotations/${quotation.id}/accept`, undefined, (answer) =>
    told(answer['quotation']),
  );
  return accepted['quotation'];
}

/** Two deliveries of what was accepted, and what had to be bought for them. */
export async function delivered(
  api: Caller,
  tell: Teller,
  quotation: Json,
  { supplier_id, today }: { supplier_id: string } & Days,
): Promise<string[]> {
  tell.chapter('Deliveries', 'The coffee first, the rest later: each with its own note.');
  const items = (quotation['line_items'] as Json[]).filter(({ type }) => type === 'item').map(asLine);
  const ids: string[] = [];
  for (const [place, line_items] of [items.slice(0, 2), items.slice(2)].entries()) {
    const { delivery_note } = await api.post(
      '/delivery-notes',
      { company_id: quotation['company_id'], issue_date: today, delivery_date: today, line_items },
      (answer) => told(answer['delivery_note']),
    );
    await api.post(`/delivery-notes/${delivery_note.id}/deliver`, undefined, (answer) =>
      told(answer['delivery_note']),
    );
    await api.download(`/delivery-notes/${delivery_note.id}/pdf`, `${3 + place} delivery note.pdf`);
    ids.push(delivery_note.id);
  }
  tell.chapter('A purchase order', 'What is bought for it, in the same shape.');
  const { purchase_order } = await api.post(
    '/purchase-orders',
    {
      company_id: supplier_id,
      issue_date: today,
      payment_terms_text: '月末締め翌月末払い',
      line_items: [
        { description: 'ペーパーフィルター（100枚入）', quantity: '40', unit: '箱', unit_price: '240' },
      ],
    },
    (answer) => told(answer['purchase_order']),
  );
  await api.post(`/purchase-orders/${purchase_order.id}/send`, undefined, (answer) =>
    told(answer['purchase_order']),
  );
  await api.download(`/purchase-orders/${purchase_order.id}/pdf`, '5 purchase order.pdf');
  return ids;
}

function asLine({ description, item_code, quantity, unit, unit_price, tax_category }: Json): Json {
  return { description, item_code, quantity, unit, unit_price, tax_category };
}

/** One invoice for both deliveries, checked, numbered, frozen and mailed. */
export async function invoiced(
  api: Caller,
  tell: Teller,
  [first, ...others]: string[],
  { today }: Days,
): Promise<Json> {
  tell.chapter(
    'One invoice for both',
    'Its tax is computed anew from the lines, not added up from the notes.',
  );
  const { invoice } = await api.post(
    `/delivery-notes/${first}/convert`,
    { delivery_note_ids: others, issue_date: today, subject: '開業支援のご請求' },
    (answer) => `${told(answer['invoice'])}, due ${answer['invoice'].due_date}`,
  );
  await api.post(
    `/invoices/${invoice.id}/approve`,
    undefined,
    (answer) => `${told(answer['invoice'])}; now it never changes again`,
  );
  const sent = await api.post(
    `/invoices/${invoice.id}/send-email`,
    undefined,
    ({ invoice: { status, email } }) => `${status}; the mail to ${email.to.join(', ')} is ${email.status}`,
  );
  await api.follow(sent['job']);
  const now = await api.get(`/invoices/${invoice.id}`, (answer) => told(answer['invoice']));
  await api.download(`/invoices/${invoice.id}/pdf`, '6 invoice.pdf');
  return now['invoice'];
}

/** A part is paid, something comes back, the rest is paid. */
export async function settled(api: Caller, tell: Teller, invoice: Json, { today }: Days): Promise<void> {
  const balance = ({ invoice: { status, balance: left } }: Json) => `${status}, ${yen(left)} to be paid`;
  tell.chapter('Money', 'A part by bank transfer, a credit note for a damaged bag, then the rest.');
  await api.post(
    `/invoices/${invoice['id']}/mark-paid`,
    { amount: 100_000, method: 'bank_transfer', paid_at: today, note: '一部入金' },
    balance,
  );
  const bag = (invoice['line_items'] as Json[]).find(({ item_code }) => item_code === 'CB-ET-01')!;
  const { credit_note } = await api.post(
    `/invoices/${invoice['id']}/credit-notes`,
    { reason: '袋の破損のため', line_items: [{ source_line_id: bag['id'], quantity: '1' }] },
    (answer) => `${told(answer['credit_note'])}; the invoice: ${balance(answer)}`,
  );
  await api.download(`/credit-notes/${credit_note.id}/pdf`, '7 credit note.pdf');
  await api.post(
    `/invoices/${invoice['id']}/mark-paid`,
    { method: 'bank_transfer', paid_at: today },
    balance,
  );
}

/** What an office and another system see of it. */
export async function lookedAt(api: Caller, tell: Teller, invoice: Json): Promise<void> {
  tell.chapter('Afterwards', 'The figures, and what happened as events that another system follows.');
  await api.get('/invoices/dashboard', ({ dashboard: { paid, outstanding, months } }) => {
    const collected = (months as Json[]).reduce((sum, month) => sum + month['collected'], 0);
    return `${paid.count} paid, ${outstanding.count} outstanding, ${yen(collected)} collected in the last twelve months`;
  });
  const { data } = await api.get(
    '/events?order=asc&limit=100',
    (answer) => `${answer['data'].length} events`,
  );
  const own = (data as Json[]).filter(
    ({ data: about }) => about.id === invoice['id'] || about.target_id === invoice['id'],
  );
  for (const { type } of own) tell.say(`      ${type}`);
}
