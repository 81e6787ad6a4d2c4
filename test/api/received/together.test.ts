import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { gatheringDatabase } from '../../support/gathering.ts';
import { seedCompanies } from '../../support/many-records.ts';

/** Documents that are registered together are written by one statement, and none of them hears of another one. */
const own = await gatheringDatabase();
const app = await startApp({ database: own, environment: { RATE_LIMIT_PER_MINUTE: '0' } });
after(() => own.drop());
const client = await app.actor();
const companies = await seedCompanies(own.database, client.actor, 3);
const MANY = 24;

const invoice = (number: string, changed: object = {}) => ({
  number,
  company_id: companies[0],
  issue_date: '2026-11-20',
  registration_number: 'T7000012050002',
  stated_total: null,
  bank_account: null,
  metadata: { number },
  line_items: Array.from({ length: 1 + (number.length % 3) }, (_, line) => ({
    description: `コーヒー豆 ${number} ${line}`,
    quantity: '1.5',
    unit_price: '1200',
    tax_category: line === 0 ? 'standard' : 'reduced',
  })),
  ...changed,
});

const register = (bodies: readonly object[]) =>
  Promise.all(bodies.map((body) => client.post('/received-invoices', body)));

/** The replies to calls that all come while the first one's statement waits, and how many statements wrote them. */
async function whileTheFirstWaits<T>(calls: readonly (() => Promise<T>)[]): Promise<[T[], number]> {
  return [await own.whileTheFirstWaits('received_documents', calls), writes()];
}

const statusesOf = (replies: readonly { status: number }[]) =>
  Object.fromEntries(
    [...Map.groupBy(replies, ({ status }) => status)].map(([status, of]) => [status, of.length]),
  );

const writes = () => own.asked().filter((text) => text.includes('INSERT INTO "received_documents"')).length;

/** How many rows, claims and audit entries there are of documents whose number begins so. */
async function kept(prefix: string) {
  return own.database.withConnection('*', async ({ query }) => {
    const [row] = await query<Record<string, number>>(
      `WITH own AS (SELECT id FROM received_documents WHERE number LIKE $1 || '%')
       SELECT (SELECT count(*)::integer FROM own) AS documents,
              (SELECT count(*)::integer FROM received_claims WHERE document_id IN (SELECT id FROM own)) AS claims,
              (SELECT count(*)::integer FROM audit_logs WHERE entity_id IN (SELECT id FROM own)) AS audited`,
      [prefix],
    );
    return row!;
  });
}

describe('received documents that are registered together', () => {
  test('are stored whole, all that come while a statement is under way by the next one, as each would be alone', async () => {
    const alone = await client.post('/received-invoices', invoice('ALONE'));
    const bodies = Array.from({ length: MANY }, (_, n) => invoice(`T-${n}`));
    const [replies, statements] = await whileTheFirstWaits(
      bodies.map((body) => () => client.post('/received-invoices', body)),
    );
    assert.deepEqual(statusesOf(replies), { 201: MANY });
    assert.equal(statements, 2);
    assert.deepEqual(await kept('T-'), { documents: MANY, claims: MANY, audited: MANY });
    for (const [n, { body }] of replies.entries()) {
      const { id } = body.received_invoice;
      const read = (await client.get(`/received-invoices/${id}`)).body.received_invoice;
      const { duplicates: _, ...answered } = body.received_invoice;
      const { duplicates: __, ...stored } = read;
      assert.deepEqual(stored, answered);
      assert.equal(stored.metadata.number, `T-${n}`);
      assert.deepEqual(Object.keys(read), Object.keys(alone.body.received_invoice));
    }
    assert.equal((await client.get('/received-invoices?limit=1')).body.total, MANY + 1);
    for (const [asked, count] of [
      ['search=T-17', 1],
      [`search=${encodeURI('コーヒー豆 T-17')}`, 0],
      ['number=T-17', 1],
      [`company_id=${companies[0]}&search=t-2`, 5],
      ['qualified=true&search=7000012050002', MANY + 1],
    ] as const) {
      const { body } = await client.get(`/received-invoices?limit=1&${asked}`);
      assert.equal(body.total, count, asked);
    }
  });

  test('among which two have one number: one of them is refused, and all others are stored', async () => {
    const numbers = Array.from({ length: MANY }, (_, n) => `D-${n % (MANY - 2)}`);
    const replies = await register(numbers.map((number) => invoice(number)));
    assert.deepEqual(statusesOf(replies), { 201: MANY - 2, 409: 2 });
    const refused = replies.filter(({ status }) => status === 409);
    for (const { body } of refused) assert.equal(body.code, 'duplicate_document');
    const each = MANY - 2;
    assert.deepEqual(await kept('D-'), { documents: each, claims: each, audited: each });
  });

  test('among which two have one key of the caller: one of them is told of the other', async () => {
    const bodies = Array.from({ length: MANY }, (_, n) =>
      invoice(`E-${n}`, { external_id: `E-${n % (MANY - 1)}` }),
    );
    const replies = await register(bodies);
    assert.deepEqual(statusesOf(replies), { 201: MANY - 1, 409: 1 });
    const { body } = replies.find(({ status }) => status === 409)!;
    assert.equal(body.code, 'already_exists');
    assert.ok(replies.some((each) => each.body.received_invoice?.id === body.existing_id));
  });

  test('among which some are wrong: each is told its own fault', async () => {
    const bodies = Array.from({ length: MANY }, (_, n) =>
      invoice(`F-${n}`, n % 4 === 0 ? { company_id: `co_${'0'.repeat(26)}` } : {}),
    );
    const replies = await register(bodies);
    assert.deepEqual(statusesOf(replies), { 201: (MANY * 3) / 4, 422: MANY / 4 });
    assert.equal((await kept('F-')).documents, (MANY * 3) / 4);
  });

  test('of several kinds are stored whole, each with its own lines', async () => {
    const paths = [
      '/received-invoices',
      '/receive-quotations',
      '/receive-delivery-notes',
      '/receive-purchase-orders',
    ];
    const bodies = Array.from({ length: MANY }, (_, n) => {
      const { line_items, number, issue_date } = invoice(`K-${n}`);
      return { number, issue_date, company_name: '株式会社送り主', ...(n % 3 > 0 && { line_items }) };
    });
    const [replies, statements] = await whileTheFirstWaits(
      bodies.map((body, n) => () => client.post(paths[n % 4]!, body)),
    );
    assert.deepEqual(statusesOf(replies), { 201: MANY });
    assert.equal(statements, 2);
    assert.deepEqual(await kept('K-'), { documents: MANY, claims: MANY, audited: MANY });
    for (const [n, { body }] of replies.entries()) {
      const [answered] = Object.values(body) as { id: string }[];
      const [read] = Object.values((await client.get(`${paths[n % 4]}/${answered!.id}`)).body);
      const { duplicates: _, ...stored } = read as Record<string, unknown>;
      const { duplicates: __, ...told } = answered as Record<string, unknown>;
      assert.deepEqual(stored, told);
    }
  });
});
