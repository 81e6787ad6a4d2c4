import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { ageingBuckets } from '../../../shared/invoicing/documents/due.ts';
import { startApp } from '../../support/app.ts';
import { newSeller, type Seller } from '../../support/documents.ts';

/** In Tokyo it is the 15th already. */
const NOW = new Date('2026-06-14T20:00:00.000Z');

const app = await startApp({ now: () => NOW });

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

/** A due date in each bucket. */
const DUE = ['2026-06-15', '2026-06-14', '2026-05-15', '2026-04-15', '2026-01-31'];

async function sumOf(seller: Seller, query: Record<string, string>): Promise<number> {
  const { body } = await seller.get(`/invoices?${new URLSearchParams({ ...query, limit: '200' })}`);
  return body.items.reduce((total: number, { balance }: Shown) => total + balance, 0);
}

describe('the ageing of receivables', () => {
  let seller: Seller;
  let other: Shown;
  before(async () => {
    seller = await newSeller(app);
    other = await seller.make('/crm/companies', { name: '=HYPERLINK("http://example.com"), 株式会社' });
    for (const [place, due_date] of DUE.entries()) {
      const fields = { issue_date: '2026-01-10', due_date };
      await seller.after('invoice', ['approve'], fields);
      const paid = await seller.after('invoice', ['approve'], { ...fields, company_id: other.id });
      await seller.act('invoice', paid.id, 'mark-paid', { amount: 1_000 * (place + 1) });
    }
    await seller.after('invoice', ['approve', 'mark-paid'], { issue_date: '2026-01-10' });
    await seller.after('invoice', ['approve', 'cancel'], { issue_date: '2026-01-10' });
    await seller.draft('invoice');
  });

  test('is what the list says with the same filters, company by company and in all', async () => {
    const { body, text } = await seller.get('/invoices/ageing');
    const { as_of, rows, totals } = body.ageing;
    assert.equal(as_of, '2026-06-15', text);
    assert.deepEqual(
      rows.map(({ company_id, name }: Shown) => [company_id, name]),
      [
        [seller.company.id, seller.company.name],
        [other.id, other.name],
      ],
    );
    for (const { company_id, name, ...figures } of rows) {
      for (const bucket of ageingBuckets) {
        const wanted = await sumOf(seller, { company_id, ageing: bucket });
        assert.equal(figures[bucket], wanted, `${name} ${bucket}`);
      }
      assert.equal(figures.balance, await sumOf(seller, { company_id, outstanding: 'true' }));
    }
    for (const bucket of ageingBuckets) {
      assert.equal(totals[bucket], await sumOf(seller, { ageing: bucket }), bucket);
    }
    assert.equal(totals.balance, await sumOf(seller, { outstanding: 'true' }));
  });

  test('is that of one company where it is asked for, and empty where nobody owes anything', async () => {
    const one = (await seller.get(`/invoices/ageing?company_id=${other.id}`)).body.ageing;
    assert.deepEqual(
      one.rows.map(({ company_id }: Shown) => company_id),
      [other.id],
    );
    assert.equal(one.totals.balance, one.rows[0].balance);
    const stranger = await newSeller(app);
    const { body } = await stranger.get(`/invoices/ageing?company_id=${other.id}`);
    assert.deepEqual(body.ageing.rows, []);
    assert.equal(body.ageing.totals.balance, 0);
  });

  test('asks for one file once while nothing changes, and for another one after a payment', async () => {
    const ask = async (query: string) => {
      const reply = await seller.get(`/invoices/ageing?${query}`, { Prefer: 'respond-async' });
      assert.equal(reply.status, 202, reply.text);
      return reply.body.job.id as string;
    };
    const first = await ask('format=csv');
    assert.equal(await ask('format=csv'), first);
    const others = ['format=pdf', 'format=pdf&lang=en', 'format=csv&encoding=shift_jis'];
    const jobs = new Set([first]);
    for (const query of others) jobs.add(await ask(query));
    assert.equal(jobs.size, 4);
    const { body } = await seller.get(`/invoices?company_id=${other.id}&outstanding=true&limit=1`);
    await seller.act('invoice', body.items[0].id, 'mark-paid', { amount: 1 });
    assert.notEqual(await ask('format=csv'), first);
  });

  test('holds IDs, days and choices in its job, and nothing of the rows', async () => {
    const [row] = await app.database.withConnection(seller.organization_id, ({ query }) =>
      query<{ payload: Record<string, unknown> }>(
        `SELECT payload FROM outbox WHERE organization_id = $1 AND name = 'platform.write_report' LIMIT 1`,
        [seller.organization_id],
      ),
    );
    const { job_id, ...order } = row!.payload;
    assert.match(String(job_id), /^job_/);
    assert.deepEqual(order, {
      report: 'invoicing.ageing',
      asked: { as_of: '2026-06-15' },
      language: 'ja',
      encoding: 'utf-8-bom',
      format: 'csv',
    });
  });
});
