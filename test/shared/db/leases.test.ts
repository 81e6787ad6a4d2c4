import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openDatabase } from '../../../shared/db/database.ts';
import { transaction } from '../../../shared/db/transaction.ts';
import type { Connection } from '../../../shared/kernel/connection.ts';
import { freshDatabase } from '../../support/database.ts';

const own = await freshDatabase();
after(() => own.drop());
const database = openDatabase({ url: own.url, pool_size: 1 });
after(() => database.end());

const TOO_LATE = { message: /was given back/ };

/** What one borrower kept of its connection, tried while the next one has the same in a transaction. */
async function triedLate(late: (connection: Connection) => Promise<unknown>): Promise<void> {
  await database.withConnection('*', ({ query }) => query('CREATE TABLE IF NOT EXISTS written (by text)'));
  await database.withConnection('*', ({ query }) => query('TRUNCATE written'));
  const first = await database.withConnection('org_first', async (connection) => {
    // Used as a request uses it, so that nothing of it is made anew later.
    await connection.knex('written').select('*');
    return connection;
  });
  await database.withConnection('org_second', (connection) =>
    transaction(connection, async (commit) => {
      await connection.query("INSERT INTO written VALUES ('second')");
      await assert.rejects(() => late(first), TOO_LATE);
      await commit(Promise.resolve());
    }),
  );
  const rows = await database.withConnection('*', ({ query }) => query('SELECT by FROM written'));
  assert.deepEqual(rows, [{ by: 'second' }]);
}

describe('a connection that was given back refuses its late borrower', () => {
  test('a statement', () => triedLate(({ query }) => query("INSERT INTO written VALUES ('first')")));

  test('a query of Knex', () => triedLate(({ knex }) => knex('written').insert({ by: 'first' })));

  test('COMMIT and ROLLBACK', async () => {
    await triedLate((first) => first.commit());
    await triedLate((first) => first.rollback());
  });

  test('the beginning of a transaction', () => triedLate(async (first) => first.begin()));
});

test('a branch of a failed Promise.all writes nothing into the transaction of the next borrower', async () => {
  const { promise: lentAgain, resolve: isLentAgain } = Promise.withResolvers<void>();
  let branch: Promise<unknown> | undefined;
  await assert.rejects(
    database.withConnection('org_first', async ({ query }) => {
      branch = lentAgain.then(() => query("INSERT INTO written VALUES ('late branch')"));
      await Promise.all([branch, Promise.reject(new Error('the other branch'))]);
    }),
    { message: 'the other branch' },
  );
  await database.withConnection('org_second', (connection) =>
    transaction(connection, async (commit) => {
      await connection.query('SELECT 1');
      isLentAgain();
      await assert.rejects(branch!, TOO_LATE);
      await commit(Promise.resolve());
    }),
  );
  const rows = await database.withConnection('*', ({ query }) =>
    query("SELECT FROM written WHERE by = 'late branch'"),
  );
  assert.equal(rows.length, 0);
});
