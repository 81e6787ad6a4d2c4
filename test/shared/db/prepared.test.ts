import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { Registry } from 'prom-client';
import { openDatabase } from '../../../shared/db/database.ts';
import { poolGauge } from '../../../shared/db/pool-gauge.ts';
import { preparedStatements } from '../../../shared/db/prepared.ts';
import { transaction } from '../../../shared/db/transaction.ts';
import type { Connection } from '../../../shared/kernel/connection.ts';
import { freshDatabase } from '../../support/database.ts';

const own = await freshDatabase();
after(() => own.drop());

describe('which texts are prepared', () => {
  test('each at once while there are names; then a text at its second use, in the place of the least recent one', () => {
    const statements = preparedStatements(2);
    assert.deepEqual(statements.naming('a'), { name: 's1' });
    assert.deepEqual(statements.naming('b'), { name: 's2' });
    assert.deepEqual(statements.naming('a'), { name: 's1' });
    assert.deepEqual(statements.naming('c'), { name: undefined });
    assert.deepEqual(statements.naming('c'), { name: 's3', evicted: 's2' });
    assert.deepEqual(statements.naming('a'), { name: 's1' });
    assert.deepEqual(statements.count(), { held: 2, evicted: 1 });
  });

  test('texts that come once evict nothing, however many they are', () => {
    const statements = preparedStatements(2);
    const hot = ['a', 'b'].map((text) => statements.naming(text).name);
    for (let n = 0; n < 10_000; n++) assert.equal(statements.naming(`rare ${n}`).name, undefined);
    assert.deepEqual(
      ['a', 'b'].map((text) => statements.naming(text).name),
      hot,
    );
    assert.deepEqual(statements.count(), { held: 2, evicted: 0 });
  });
});

const MOST = 1_000;

for (const through_pooler of [false, true]) {
  test(`the 1,001st text that is used again is prepared${through_pooler ? ' through a pooler' : ''}`, async () => {
    const database = openDatabase({ url: own.url, pool_size: 1, through_pooler });
    after(() => database.end());
    const use = (connection: Connection, n: number) => connection.query(`SELECT ${n} AS n`);
    const held = async ({ query }: Connection) => {
      const rows = await query<{ statement: string }>('SELECT statement FROM pg_prepared_statements', [], {
        prepared: false,
      });
      return new Set(rows.map(({ statement }) => statement));
    };
    await database.withConnection('*', async (connection) => {
      await Promise.all(Array.from({ length: MOST }, (_, n) => use(connection, n)));
      assert.equal((await held(connection)).size, MOST);
      await use(connection, 0);
      assert.deepEqual(await use(connection, MOST), [{ n: MOST }]);
      // In a transaction, whose BEGIN and the freeing of a name travel in one packet.
      await transaction(connection, async (commit) => {
        assert.deepEqual(await use(connection, MOST), [{ n: MOST }]);
        await commit(Promise.resolve());
      });
      const statements = await held(connection);
      assert.equal(statements.size, MOST);
      assert.equal(statements.has(`SELECT ${MOST} AS n`), true);
      assert.equal(statements.has('SELECT 0 AS n'), true);
      assert.equal(statements.has('SELECT 1 AS n'), false);
      // The evicted one works on, and is prepared again when it comes again.
      assert.deepEqual(await use(connection, 1), [{ n: 1 }]);
      assert.deepEqual(await use(connection, 1), [{ n: 1 }]);
      assert.equal((await held(connection)).has('SELECT 1 AS n'), true);
    });
    const registry = new Registry();
    poolGauge(registry, database);
    const text = await registry.metrics();
    assert.match(text, /^database_prepared_statements 1000$/m);
    assert.match(text, /^database_prepared_statements_evicted_total 2$/m);
  });
}
