import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { newActor } from '../support/actors.ts';
import { startApi } from '../support/api.ts';
import { freshDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { killAmongRequests } from './killings.ts';

const own = await freshDatabase();
after(() => own.drop());

const COUNT = 200;
const PARALLEL = 16;

/** An invoice that is to be approved under one key until that is answered. */
type Wanted = { id: string; key: string; number: string | null; cut: number };

test('200 approvals give 200 consecutive numbers while the API is killed among them', async (context) => {
  const { secret, organization_id } = await newActor(own.database);
  const port = await freePort();
  const start = () => startApi(port, { DATABASE_URL: own.url });
  let api = await start();

  async function post(path: string, body: unknown, key: string) {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${secret}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      },
      body: JSON.stringify(body),
    });
    // biome-ignore lint/suspicious/noExplicitAny: any answer is read here.
    return { status: response.status, body: (await response.json()) as any };
  }

  const { body } = await post('/crm/companies', { name: '株式会社山田商店' }, randomUUID());
  const wanted: Wanted[] = await inTurns(COUNT, async () => {
    const line_items = [{ description: '豆', unit_price: '100' }];
    const draft = { company_id: body.company.id, issue_date: '2026-04-01', line_items };
    const made = await post('/invoices', draft, randomUUID());
    return { id: made.body.invoice.id as string, key: randomUUID(), number: null, cut: 0 };
  });

  const end = Date.now() + 300_000;
  const approving = inTurns(COUNT, async (n) => {
    const one = wanted[n]!;
    while (one.number === null) {
      assert.ok(Date.now() < end, `${one.id} was not approved within five minutes`);
      try {
        const reply = await post(`/invoices/${one.id}/approve`, {}, one.key);
        if (reply.status === 200) one.number = reply.body.invoice.number;
        else
          assert.ok(
            ['idempotency_key_in_use', 'unavailable'].includes(reply.body.code),
            JSON.stringify(reply.body),
          );
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        const { cause } = error as { cause?: { code?: string } };
        if (cause?.code !== 'ECONNREFUSED') one.cut += 1;
        await pause(50);
      }
    }
  });
  const answered = () => wanted.filter(({ number }) => number !== null).length;
  api = await killAmongRequests({
    api,
    start,
    answered,
    database: own.database,
    table: 'invoicing_documents',
  });
  await approving;

  const expected = Array.from({ length: COUNT }, (_, n) => `INV-2026-${String(n + 1).padStart(4, '0')}`);
  assert.deepEqual(wanted.map(({ number }) => number).sort(), expected);
  const rows = await own.database.withConnection(organization_id, ({ query }) =>
    query<{ id: string; number: string; events: number; prints: number }>(
      `SELECT id, number,
              (SELECT count(*)::int FROM events
                WHERE organization_id = $1 AND type = 'invoice.approved' AND data->>'id' = document.id) AS events,
              (SELECT count(*)::int FROM invoicing_prints
                WHERE organization_id = $1 AND document_id = document.id) AS prints
         FROM invoicing_documents AS document WHERE organization_id = $1 AND status = 'approved'`,
      [organization_id],
    ),
  );
  const told = wanted.map(({ id, number }) => ({ id, number, events: 1, prints: 1 }));
  const byId = (left: { id: string }, right: { id: string }) => (left.id < right.id ? -1 : 1);
  assert.deepEqual(rows.map((row) => ({ ...row })).sort(byId), told.sort(byId));
  const cut = wanted.filter((one) => one.cut > 0).length;
  assert.ok(cut > 0, 'the one that waited when the API was killed');
  context.diagnostic(`${COUNT} approved, ${cut} cut at least once, no number lost or given twice`);
  assert.equal(await api.stop(), 0);
});

/** Runs so many tasks, a few at a time; answers in their order. */
async function inTurns<Result>(count: number, run: (n: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  async function worker(): Promise<void> {
    for (let n = next++; n < count; n = next++) results[n] = await run(n);
  }
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return results;
}
