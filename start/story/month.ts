import type { Caller, Json } from './caller.ts';
import { type Teller, yen } from './teller.ts';

/** A month of sales: its days (YYYY-MM-DD), and what sets its names apart from those of other tellings. */
export type Month = { from: string; to: string; tag: string };

const COUNT = 300;

const GOODS = [
  ['エチオピア イルガチェフェ ナチュラル 1kg', '袋', '4,200', '軽減8%'],
  ['ブラジル サントス No.2 1kg', '袋', '2,800', '軽減8%'],
  ['ペーパーフィルター（100枚入）', '箱', '380', '10%'],
] as const;

const rows = (row: (n: number) => string) => Array.from({ length: COUNT }, (_, n) => row(n + 1)).join('\r\n');

/** The customers, and an invoice of two or three lines for each of them, out of files. */
export async function written(api: Caller, tell: Teller, { to, tag }: Month): Promise<void> {
  tell.chapter(
    'Three hundred customers',
    'A list as an office has it; neither its columns nor its codes are ours.',
  );
  const known = await api.postCsv(
    '/crm/companies/import',
    {
      name: '取引先.csv',
      text: `取引先コード,会社名,メールアドレス\r\n${rows((n) => `K-${tag}-${n},株式会社${tag}商店${n},keiri${n}@${tag}.example.jp`)}`,
    },
    ({ import: { file_name } }) => `${file_name} is taken`,
  );
  await api.follow(known['job']);

  tell.chapter('Their invoices', 'A row is a line; neighbouring rows of one number are one draft.');
  const lines = (n: number) =>
    GOODS.slice(0, 2 + (n % 2)).map(([name, unit, price, rate], line) => {
      const head = line === 0 ? `S-${tag}-${n},K-${tag}-${n},${to},月次のご請求` : `S-${tag}-${n},,,`;
      return `${head},${name},${(n % 9) + 1},${unit},"${price}",${rate}`;
    });
  const sent = await api.postCsv(
    '/invoices/import',
    {
      name: '請求.csv',
      text: `請求書番号,取引先コード,請求日,件名,品名,数量,単位,単価,税率\r\n${rows((n) => lines(n).join('\r\n'))}`,
    },
    ({ import: { file_name } }) => `${file_name} is taken`,
  );
  await api.follow(sent['job']);
  await api.get(
    `/invoices/imports/${sent['import'].id}`,
    ({ import: { document_count, total_rows, error_count } }) =>
      `${document_count} drafts of ${total_rows} rows, ${error_count} of them with a fault`,
  );
}

/** Approved, mailed and filed: a call each. */
export async function issued(api: Caller, tell: Teller, { from, to }: Month): Promise<void> {
  tell.chapter(
    'Approved, mailed, filed',
    'A call for all that a filter finds; each invoice has an entry in the result.',
  );
  const filter = { issue_date_from: from, issue_date_to: to };
  const succeeded = ({ job }: Json) => `${job.kind} is ${job.status}`;
  const approved = await api.post(
    '/invoices/batch',
    { action: 'approve', filter: { ...filter, status: 'draft' } },
    succeeded,
  );
  await api.follow(approved['job']);
  const mailed = await api.post('/invoices/batch', { action: 'send-email', filter }, succeeded);
  const filed = await api.post('/invoices/files', { filter, form: 'zip' }, succeeded);
  await api.follow(mailed['job']);
  await api.follow(filed['job']);
  await api.download(`/jobs/${filed['job'].id}/file`, 'invoices.zip');
}

/** What a customer owes in yen, tax included: 4,200 and 2,800 at 8 %, and where there is a third line 380 at 10 %. */
function owedBy(n: number): number {
  const quantity = (n % 9) + 1;
  return quantity * (7_560 + (n % 2 === 1 ? 418 : 0));
}

/** The bank's statement, and what of it pays whom. */
export async function matched(api: Caller, tell: Teller, { to, tag }: Month): Promise<void> {
  tell.chapter(
    'Three hundred transfers',
    'The statement as the bank gives it: what is sure is matched, and the rest is for somebody to decide.',
  );
  const line = (n: number) => {
    // One payer is unknown, one takes a fee off, and one pays a part.
    const [name, amount] =
      n === 1
        ? ['ナゾノカタ', owedBy(n)]
        : [`${tag}商店${n}`, owedBy(n) - (n === 2 ? 440 : 0) - (n === 3 ? 5_000 : 0)];
    return `${to},振込１,${name},,${amount}`;
  };
  const stated = await api.postCsv(
    '/deposits/import',
    {
      name: '入出金明細.csv',
      text: `日付,摘要,摘要内容,支払い金額,預かり金額\r\n${rows(line)}\r\n${to},手数料,ﾌﾘｺﾐﾃｽｳﾘﾖｳ,440,`,
    },
    ({ import: { file_name } }) => `${file_name} is taken`,
  );
  await api.follow(stated['job']);
  const days = `received_from=${to}&received_to=${to}`;
  await api.get(`/deposits/matches?limit=${COUNT}&sort=created_at:asc&${days}`, ({ items }) => {
    const outcomes = Map.groupBy(items as Json[], ({ outcome }) => outcome as string);
    return [...outcomes].map(([outcome, { length }]) => `${length} ${outcome}`).join(', ');
  });
  const matching = await api.post(
    '/deposits/batch',
    { action: 'match', filter: { has_unallocated: true, received_from: to, received_to: to } },
    ({ job }) => `${job.kind} is ${job.status}`,
  );
  await api.follow(matching['job']);
}

/** Who owes what. */
export async function aged(api: Caller, tell: Teller): Promise<void> {
  tell.chapter('Who owes what', 'By company, and by how long it is overdue.');
  await api.get(
    '/invoices/ageing',
    ({ ageing: { rows, totals } }) => `${rows.length} companies owe ${yen(totals.balance)}`,
  );
}
