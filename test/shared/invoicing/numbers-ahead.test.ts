import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { type Database, openDatabase } from '../../../shared/db/database.ts';
import { transaction } from '../../../shared/db/transaction.ts';
import { numberAhead } from '../../../shared/invoicing/numbering/ahead.ts';
import { counterOf } from '../../../shared/invoicing/numbering/counter.ts';
import type { Connection } from '../../../shared/kernel/connection.ts';
import { systemActor } from '../../../shared/kernel/reader.ts';
import { Work } from '../../../shared/kernel/work.ts';
import { startApp } from '../../support/app.ts';
import { freshDatabase } from '../../support/database.ts';
import { newSeller } from '../../support/documents.ts';

const statements: string[] = [];
const own = await freshDatabase({ on_statement: (text) => statements.push(text) });
const app = await startApp({ database: own });
const another = openDatabase({ url: own.url, pool_size: 10 });
after(async () => {
  await another.end();
  await own.drop();
});

const settings = {
  numbering: { quotation: { pattern: 'Q-{YYYY}-{SEQ:3}', reset: 'year' } },
  fiscal_year_start_month: 4,
} as const;

const named = (...numbers: number[]) => numbers.map((n) => `Q-2026-${String(n).padStart(3, '0')}`);
const upTo = (count: number) => named(...Array.from({ length: count }, (_, n) => n + 1));

const workOn = (connection: Connection, organization_id: string) =>
  new Work({
    connection,
    organization_id,
    actor: systemActor,
    now: new Date(),
    request_id: null,
    ip_address: null,
  });

const ahead = (connection: Connection, organization_id: string) =>
  numberAhead(
    workOn(connection, organization_id),
    counterOf(organization_id, 'quotation', '2026-05-01', settings),
  );

/** Takes a number in a transaction, which does `afterwards` after it. */
function take(
  organization_id: string,
  { database = own.database, before = '', afterwards = async () => {} }: Partial<Taking> = {},
): Promise<string> {
  return database.withConnection(organization_id, (connection) =>
    transaction(connection, async (commit) => {
      if (before) await connection.query(before);
      const number = await ahead(connection, organization_id);
      await afterwards(connection);
      await commit(Promise.resolve());
      return number;
    }),
  );
}

type Taking = { database: Database; before: string; afterwards: (connection: Connection) => Promise<void> };

const refuse = () => Promise.reject(new Error('refused'));

describe('numbers that are taken ahead of a transaction', () => {
  test('are gone when it is rolled back, and given back where it had begun before', async () => {
    assert.deepEqual([await take('org_a')], named(1));
    await assert.rejects(take('org_a', { afterwards: refuse }), /refused/);
    assert.deepEqual([await take('org_a')], named(3));
    await assert.rejects(take('org_a', { before: 'SELECT 1', afterwards: refuse }), /refused/);
    assert.deepEqual([await take('org_a')], named(4));
  });

  test('are taken for all who wait in one statement, and nobody waits for a commit', async () => {
    statements.length = 0;
    const { promise: all, resolve } = Promise.withResolvers<void>();
    let had = 0;
    const afterwards = async () => {
      had += 1;
      if (had === 10) resolve();
      await all;
    };
    const numbers = await Promise.all(Array.from({ length: 10 }, () => take('org_b', { afterwards })));
    assert.deepEqual(numbers.sort(), upTo(10));
    const sent = statements.filter((text) => text.includes('INSERT INTO invoicing_counters'));
    assert.ok(sent.length < 10, `${sent.length} statements`);
  });

  test('are different in two processes', async () => {
    const numbers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => take('org_c', n % 2 ? { database: another } : {})),
    );
    assert.deepEqual(numbers.sort(), upTo(60));
  });

  test('are those of the others when the one who takes for all breaks off', async () => {
    const lock = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holding = own.database.withConnection('org_d', (connection) =>
      transaction(connection, async () => {
        await connection.query(
          "INSERT INTO invoicing_counters (organization_id, kind, period, next) VALUES ('org_d', 'quotation', '2026', 7)",
        );
        locked.resolve();
        await lock.promise;
      }),
    );
    await locked.promise;
    const cut = new AbortController();
    const broken = own.database.withConnection(
      'org_d',
      (connection) => ahead(connection, 'org_d'),
      cut.signal,
    );
    const others = Promise.all([take('org_d'), take('org_d'), take('org_d')]);
    cut.abort();
    await assert.rejects(broken);
    lock.resolve();
    await holding;
    assert.deepEqual(
      (await others).map((number) => number.slice(0, 7)),
      ['Q-2026-', 'Q-2026-', 'Q-2026-'],
    );
    assert.equal(new Set(await others).size, 3);
  });
});

describe('numbers given by hand', () => {
  const quotation = (n: number) => `QUO-2026-${String(n).padStart(4, '0')}`;

  test('are passed over, however many there are', async () => {
    const seller = await newSeller(app);
    await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 14].map((n) => seller.draft('quotation', { number: quotation(n) })),
    );
    const drafts = await Promise.all(Array.from({ length: 6 }, () => seller.draft('quotation')));
    const expected = [10, 11, 13, 15, 16, 17].map(quotation);
    assert.deepEqual(drafts.map(({ number }) => number).sort(), expected);
  });

  test('at the same time: every document gets one, and none twice', async () => {
    const seller = await newSeller(app);
    const { company } = seller;
    const body = {
      company_id: company.id,
      issue_date: '2026-04-01',
      line_items: [{ description: '豆', unit_price: 1 }],
    };
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        seller.post('/quotations', n % 3 ? body : { ...body, number: quotation(n + 1) }),
      ),
    );
    for (const { status, body: reply } of replies)
      assert.ok(status === 201 || reply.code === 'already_exists');
    const numbers = replies.flatMap(({ body: reply }) => reply.quotation?.number ?? []);
    assert.ok(numbers.length >= 40);
    assert.equal(new Set(numbers).size, numbers.length);
  });
});
