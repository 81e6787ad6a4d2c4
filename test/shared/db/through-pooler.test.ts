import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { type Database, openDatabase } from '../../../shared/db/database.ts';
import { transaction } from '../../../shared/db/transaction.ts';
import { startApp } from '../../support/app.ts';
import { freshDatabase } from '../../support/database.ts';
import { tripsTo } from '../../support/trips.ts';

const own = await freshDatabase();
after(() => own.drop());

/** A pool as it is opened where DATABASE_URL leads to a pooler; the server behind is asked directly here. */
function opened(url: string, through_pooler: boolean, statement_timeout?: number): Database {
  const database = openDatabase({ url, pool_size: 1, through_pooler, statement_timeout });
  after(() => database.end());
  return database;
}

describe('a connection through a pooler', () => {
  const database = opened(own.url, true, 1_234);
  const timeouts = `SELECT current_setting('statement_timeout') AS statement,
    current_setting('idle_in_transaction_session_timeout') AS idle`;

  test('has the timeouts in each transaction and at each statement outside one', async () => {
    await database.withConnection('*', async ({ query, knex }) => {
      assert.deepEqual(await query(timeouts), [{ statement: '1234ms', idle: '1min' }]);
      assert.deepEqual((await knex.raw(timeouts)).rows, [{ statement: '1234ms', idle: '1min' }]);
    });
    await database.withConnection('*', (connection) =>
      transaction(connection, async () => {
        assert.deepEqual(await connection.query(timeouts), [{ statement: '1234ms', idle: '1min' }]);
      }),
    );
  });

  test('leaves nothing behind in the session, which is lent to others', async () => {
    const [row] = await database.withConnection('*', ({ query }) =>
      query(`SELECT count(*)::integer AS count FROM pg_settings
        WHERE name LIKE '%timeout' AND source IN ('client', 'session') AND reset_val <> boot_val`),
    );
    assert.deepEqual(row, { count: 0 });
  });

  test('ends a statement that takes too long, in a transaction and outside one', async () => {
    const impatient = opened(own.url, true, 200);
    const sleep = "SELECT pg_sleep(60), 'outside'";
    await assert.rejects(
      impatient.withConnection('*', ({ query }) => query(sleep)),
      { code: '57014' },
    );
    await assert.rejects(
      impatient.withConnection('*', (connection) => transaction(connection, () => connection.query(sleep))),
      { code: '57014' },
    );
  });

  test('answers a statement that stands alone when it is committed, and its own error when it is not', async () => {
    await database.withConnection('*', ({ query }) =>
      query('CREATE TABLE kept (id integer PRIMARY KEY, other integer UNIQUE DEFERRABLE INITIALLY DEFERRED)'),
    );
    const insert = 'INSERT INTO kept VALUES ($1, $2)';
    await database.withConnection('*', ({ query }) => query(insert, [1, 1]));
    await assert.rejects(
      database.withConnection('*', ({ query }) => query(insert, [1, 2])),
      { code: '23505' },
    );
    // Refused by COMMIT alone.
    await assert.rejects(
      database.withConnection('*', ({ query }) => query(insert, [2, 1])),
      { code: '23505' },
    );
    assert.deepEqual(await own.database.withConnection('*', ({ query }) => query('SELECT id FROM kept')), [
      { id: 1 },
    ]);
  });

  test('asks the server as often as one without a pooler', async () => {
    const counted = async (through_pooler: boolean) => {
      const trips = await tripsTo(own.url);
      const app = await startApp({ database: { ...own, database: opened(trips.url, through_pooler) } });
      const client = await app.actor();
      const asked: Record<string, number> = {};
      const count = async (
        what: string,
        call: () => Promise<{ status: number; body: { contact?: { id: string } } }>,
      ) => {
        await call();
        trips.count();
        const reply = await call();
        assert.ok(reply.status < 300, JSON.stringify(reply.body));
        asked[what] = trips.count();
        return reply;
      };
      const { body } = await count('create', () =>
        client.post('/crm/contacts', { first_name: 'a', last_name: 'b' }),
      );
      const path = `/crm/contacts/${body.contact?.id}`;
      await count('read', () => client.get(path));
      await count('change', () => client.patch(path, { first_name: 'c' }));
      await count('list', () => client.get('/crm/contacts'));
      return asked;
    };
    assert.deepEqual(await counted(true), await counted(false));
  });
});
