import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openDatabase } from '../../../shared/db/database.ts';
import type { Connection } from '../../../shared/kernel/connection.ts';
import { freshDatabase } from '../../support/database.ts';

const own = await freshDatabase();
const database = openDatabase({ url: own.url, pool_size: 1, statement_timeout: 30_000 });
after(async () => {
  await database.end();
  await own.drop();
});

/** Uses one connection, so that a statement that comes again is known there. */
const on = <T>(run: (connection: Connection) => Promise<T>) => database.withConnection('*', run);

describe('a statement that comes again', () => {
  test('answers the same rows, of every type and with empty values', async () => {
    const text = `SELECT n, n::bigint AS big, n / 3::numeric AS exact, n % 2 = 0 AS even, 'a"\\é' || n AS text,
        jsonb_build_object('n', n) AS json, ARRAY[n, NULL] AS list, timestamptz '2026-02-03 04:05:06.7Z' AS at,
        date '2026-02-03' AS day, decode('00ff', 'hex') AS bytes, NULL AS nothing
      FROM generate_series(1, $1::integer) AS n`;
    const [first, again, fewer, none] = await on(async ({ query }) => [
      await query(text, [60]),
      await query(text, [60]),
      await query(text, [1]),
      await query(text, [0]),
    ]);
    assert.deepEqual(again, first);
    assert.deepEqual(fewer, first!.slice(0, 1));
    assert.deepEqual(none, []);
    assert.deepEqual(Object.keys(again![0]!), Object.keys(first![0]!));
    assert.equal(Object.getPrototypeOf(again![0]), Object.prototype);
  });

  test('travels together with itself, before the first answer and after', async () => {
    const text = 'SELECT $1::integer AS n, $1::integer * 2 AS twice';
    const rows = await on(async ({ query }) => [
      ...(await Promise.all([1, 2, 3].map((n) => query(text, [n])))),
      ...(await Promise.all([4, 5, 6].map((n) => query(text, [n])))),
    ]);
    assert.deepEqual(
      rows,
      [1, 2, 3, 4, 5, 6].map((n) => [{ n, twice: n * 2 }]),
    );
  });

  test('may have two columns of one name, whose last counts, one that names the prototype, or none', async () => {
    for (const [text, row] of [
      ['SELECT 1 AS n, 2 AS n', { n: 2 }],
      ['SELECT 1 AS "a \\ ""b""", 2 AS c', { 'a \\ "b"': 1, c: 2 }],
      ['SELECT', {}],
    ] as const) {
      const both = await on(async ({ query }) => [await query(text), await query(text)]);
      assert.deepEqual(both, [[row], [row]]);
    }
    const text = 'SELECT 1 AS "__proto__"';
    const [, [row]] = (await on(async ({ query }) => [await query(text), await query(text)])) as [
      object[],
      object[],
    ];
    assert.deepEqual(Object.entries(row!), [['__proto__', 1]]);
  });

  test('may answer no rows at all', async () => {
    await on(async ({ query }) => {
      await query('CREATE TEMP TABLE kept (n integer PRIMARY KEY)');
      const text = 'INSERT INTO kept VALUES ($1)';
      for (const n of [1, 2, 3]) assert.deepEqual(await query(text, [n]), []);
      assert.deepEqual(await query('SELECT count(*)::integer AS count FROM kept'), [{ count: 3 }]);
    });
  });

  test('fails as before, and is right the next time', async () => {
    await on(async ({ query }) => {
      const text = 'SELECT 12 / $1::integer AS share';
      for (let time = 0; time < 3; time += 1) {
        const [zero, one] = await Promise.allSettled([query(text, [0]), query(text, [3])]);
        assert.equal((zero as PromiseRejectedResult).reason.code, '22012');
        assert.match((zero as PromiseRejectedResult).reason.stack, /described-query\.test/);
        assert.deepEqual(one, { status: 'fulfilled', value: [{ share: 4 }] });
      }
      await assert.rejects(query('SELECT nothing_of_that_name'), { code: '42703' });
      await assert.rejects(query('SELECT nothing_of_that_name'), { code: '42703' });
      // Half of the rows have arrived by then.
      const late = 'SELECT 1 / (5000 - n) AS share FROM generate_series(1, $1::integer) AS n';
      assert.equal((await query(late, [10])).length, 10);
      await assert.rejects(query(late, [5_000]), { code: '22012' });
      assert.equal((await query(late, [10])).length, 10);
    });
  });

  test('fails when a value cannot be sent, and others go on', async () => {
    await on(async ({ query }) => {
      const text = 'SELECT $1::jsonb AS told';
      const circular: Record<string, unknown> = {};
      circular['self'] = circular;
      assert.deepEqual(await query(text, [{ n: 1 }]), [{ told: { n: 1 } }]);
      await assert.rejects(query(text, [circular]), /circular/i);
      assert.deepEqual(await query('SELECT 1 AS n'), [{ n: 1 }]);
    });
  });

  test('is never answered with other columns: the server refuses it then', async () => {
    await on(async ({ query }) => {
      await query('CREATE TEMP TABLE grown (a integer)');
      await query('INSERT INTO grown VALUES (1)');
      assert.deepEqual(await query('SELECT * FROM grown'), [{ a: 1 }]);
      assert.deepEqual(await query('SELECT * FROM grown'), [{ a: 1 }]);
      await query('ALTER TABLE grown ADD b integer DEFAULT 2');
      await assert.rejects(query('SELECT * FROM grown'), { code: '0A000' });
      assert.deepEqual(await query('SELECT * FROM grown', [], { prepared: false }), [{ a: 1, b: 2 }]);
    });
  });

  test('is run for builders of queries too', async () => {
    await on(async (connection) => {
      const ask = () => connection.from('pg_class').where('relname', 'pg_class').select('relname');
      for (let time = 0; time < 3; time += 1) assert.deepEqual(await ask(), [{ relname: 'pg_class' }]);
    });
  });
});

test('rows come through a pooler as they are described each time', async () => {
  const pooled = openDatabase({ url: own.url, pool_size: 1, through_pooler: true });
  after(() => pooled.end());
  await pooled.withConnection('*', async ({ query }) => {
    for (const n of [1, 2, 3]) assert.deepEqual(await query('SELECT $1::integer AS n', [n]), [{ n }]);
  });
});

test('a statement that takes too long is given up, known or not', async () => {
  const hasty = openDatabase({ url: own.url, pool_size: 1, statement_timeout: 300 });
  after(() => hasty.end());
  const text = 'SELECT pg_sleep($1::double precision)';
  await hasty.withConnection('*', ({ query }) => query(text, [0]));
  await hasty.withConnection('*', ({ query }) => query(text, [0]));
  await assert.rejects(hasty.withConnection('*', ({ query }) => query(text, [30])));
  assert.equal((await hasty.withConnection('*', ({ query }) => query(text, [0]))).length, 1);
});
