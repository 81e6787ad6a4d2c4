import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { startApp } from '../../support/app.ts';
import { persistently } from '../../support/books.ts';
import type { Reply } from '../../support/client.ts';
import { judged, yenOf } from '../../support/hledger.ts';
import { newPayer } from '../../support/received-payers.ts';
import { startWorkers } from '../../support/workers.ts';

/**
 * hledger reckons what suppliers are owed from the export of the books, and that is the list of what is due: by company and
 * to the yen, whatever was approved, paid, taken back and reopened.
 */
const INVOICES = Number(process.env['INVOICES'] ?? 40);
const SEED = Number(process.env['SEED'] ?? 20_261_126);

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const app = await startApp();
await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir }, [
  '--queues',
  'report-export',
]);

const line = fc.record({
  unit_price: fc.integer({ min: -3_000, max: 90_000 }).map(String),
  tax_category: fc.constantFrom('standard', 'reduced', 'exempt'),
  purpose: fc.constantFrom('taxable', 'common', 'exempt'),
  account: fc.constantFrom(null, '5120', '6210', '1630'),
  withholding: fc.boolean(),
});

const payment = fc.record({
  part: fc.constantFrom(0.3, 0.5, 1),
  method: fc.constantFrom('bank_transfer', 'cash', 'card', 'offset', 'other'),
  fee_amount: fc.constantFrom(0, 0, 1, 110),
  fee_borne_by: fc.constantFrom('us', 'supplier'),
});

const story = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 4 }),
  company: fc.nat(2),
  has_number: fc.boolean(),
  withholding_mode: fc.constantFrom('none', 'none', 'net'),
  payments: fc.array(payment, { maxLength: 3 }),
  removed: fc.nat(4),
  ending: fc.constantFrom('leave', 'leave', 'pay', 'reopen', 'approve again'),
});

test('what suppliers are owed in the books is what is due', async () => {
  const payer = await newPayer(app, 'post');
  const done = (reply: Reply) => assert.ok(reply.status < 300, reply.text);
  const { body } = await payer.get('/accounting/accounts?limit=500');
  const accounts = new Map((body.data ?? body.items).map(({ id, code }: Shown) => [code, id]));
  const companies = [
    payer.company.id,
    ...(await Promise.all(
      ['北商会', '西工業'].map(async (name) => (await payer.make('/crm/companies', { name })).id),
    )),
  ];
  for (const [index, told] of fc.sample(story, { numRuns: INVOICES, seed: SEED }).entries()) {
    const { id } = await payer.register('invoice', {
      number: `${index}`,
      company_id: companies[told.company],
      registration_number: told.has_number ? 'T7000012050002' : null,
      withholding_mode: told.withholding_mode,
      line_items: told.lines.map(({ account, ...fields }) => {
        return { description: '品', ...fields, account_id: account && accounts.get(account) };
      }),
    });
    const act = (action: string, sent: object = {}) =>
      persistently(() => payer.act('invoice', id, action, sent));
    done(await act('approve'));
    const paid: string[] = [];
    for (const { part, fee_amount, ...how } of told.payments) {
      const { balance } = await payer.read('invoice', id);
      const amount = Math.trunc(balance * part);
      if (amount === 0) continue;
      const fee = Math.min(fee_amount, Math.abs(amount));
      const reply = await act('mark-paid', { amount, fee_amount: fee, ...how });
      done(reply);
      paid.push(reply.body.payment.id);
    }
    const removed = paid[told.removed];
    if (removed !== undefined)
      done(await persistently(() => payer.delete(`/received-invoices/${id}/payments/${removed}`)));
    const { status, balance } = await payer.read('invoice', id);
    if (told.ending === 'pay' && balance !== 0) done(await act('mark-paid'));
    if (status !== 'approved' || !['reopen', 'approve again'].includes(told.ending)) continue;
    done(await act('reopen'));
    if (told.ending === 'approve again') done(await act('approve'));
  }
  const { groups, balance } = (await payer.get('/received-invoices/due?group_by=company')).body;
  assert.ok(groups.length > 1 && balance > 0);
  await judged(await exported(payer.actor.secret), (by) => {
    by.text('check');
    const owed = by
      .hledger('bal', '-N', '--pivot', 'company', 'acct:2120$', 'acct:2310$')
      .slice(1)
      .map(([company, amount]) => [company!, -yenOf(amount)] as const)
      .filter(([company, amount]) => company.startsWith('comp_') && amount !== 0);
    assert.deepEqual(
      Object.fromEntries(owed),
      Object.fromEntries(
        groups
          .filter((group: Shown) => group.balance !== 0)
          .map((group: Shown) => [group.company_id, group.balance]),
      ),
    );
  });
});

/** The journal of the year as hledger reads it. */
async function exported(secret: string): Promise<Buffer> {
  for (;;) {
    const reply = await fetch(
      `${app.base_url}/api/v1/accounting/reports/journal-book?from=2026-01-01&to=2026-12-31&format=hledger`,
      { headers: { Authorization: `Bearer ${secret}` } },
    );
    const bytes = Buffer.from(await reply.arrayBuffer());
    assert.ok([200, 202].includes(reply.status), bytes.toString());
    if (reply.status === 200) return bytes;
  }
}
