import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { freshDatabase } from '../../support/database.ts';
import { seedReceived } from '../../support/many-received.ts';
import { seedCompanies } from '../../support/many-records.ts';

/** Statements are most of what a call costs, in the API and in the database: what documents add must not grow unseen. */
let asked: string[] = [];
const own = await freshDatabase({ on_statement: (text) => asked.push(text) });
const app = await startApp({ database: own });
after(() => own.drop());
const client = await app.actor();
const companies = await seedCompanies(own.database, client.actor, 3);
await seedReceived(own.database, client.actor, 'invoice', { companies, count: 60 });

/** The statements of a call after one that has read what a process keeps. */
async function statementsOf(call: (n: number) => Promise<{ status: number }>): Promise<string[]> {
  await call(1);
  asked = [];
  const { status } = await call(2);
  assert.ok(status < 300);
  return asked.filter((text) => !text.includes('api_key'));
}

describe('received documents', () => {
  test('of a page are read by six statements: settings, which, what they say, links, payments', async () => {
    const statements = await statementsOf(() => client.get('/received-invoices?limit=50&skip_total=true'));
    assert.ok(statements.length <= 6, `${statements.length}: ${statements.join('\n')}`);
    for (const table of ['received_lines', 'received_claims', 'received_files']) {
      assert.ok(!statements.some((text) => text.includes(table)), `a page read ${table}`);
    }
  });

  test('of all kinds are counted in no order, whichever the page has', async () => {
    const statements = await statementsOf(() =>
      client.get('/receive/documents?status=paid&sort=due_date:asc'),
    );
    const counting = statements.filter((text) => /count\(\*\)/i.test(text));
    assert.equal(counting.length, 1, counting.join('\n'));
    assert.doesNotMatch(counting[0]!, /order by/i);
  });

  test('are made by one statement without a transaction around it, behind four that read', async () => {
    const statements = await statementsOf((n) =>
      client.post('/received-invoices', {
        number: `A-${n}`,
        company_id: companies[0],
        issue_date: '2026-11-20',
        registration_number: 'T7000012050002',
        line_items: [
          { description: 'コーヒー豆', quantity: '1', unit_price: '1200', tax_category: 'standard' },
        ],
      }),
    );
    assert.ok(statements.length <= 5, `${statements.length}: ${statements.join('\n')}`);
    assert.ok(!statements.includes('COMMIT'), 'it opened a transaction');
  });
});
