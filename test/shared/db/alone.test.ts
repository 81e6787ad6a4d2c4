import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { transaction } from '../../../shared/db/transaction.ts';
import type { Connection } from '../../../shared/kernel/connection.ts';
import { systemActor } from '../../../shared/kernel/reader.ts';
import { Work } from '../../../shared/kernel/work.ts';
import { freshDatabase } from '../../support/database.ts';

const { database, drop } = await freshDatabase();
after(drop);

const on = <T>(run: (connection: Connection) => Promise<T>) => database.withConnection('org_x', run);

/** A row of any table that has a key: one counter for each number. */
const ADD = `INSERT INTO invoicing_counters (organization_id, kind, period, next) VALUES ('org_x', 'invoice', $1, $2)
  RETURNING next AS n`;

const add = (connection: Connection, n: number, options?: { alone: boolean }) =>
  connection.query(ADD, [String(n), n], options);
const alone = { alone: true };

async function kept(): Promise<number[]> {
  const rows = await on(({ query }) =>
    query<{ n: number }>('SELECT next AS n FROM invoicing_counters ORDER BY n'),
  );
  return rows.map(({ n }) => n);
}

describe('statements that stand alone', () => {
  test('stand when the transaction that follows is rolled back', async () => {
    const refused = on((connection) =>
      transaction(connection, async () => {
        assert.deepEqual(await add(connection, 1, alone), [{ n: 1 }]);
        assert.equal(connection.hasBegun(), false);
        await add(connection, 2);
        assert.equal(connection.hasBegun(), true);
        throw new Error('refused');
      }),
    );
    await assert.rejects(refused, /refused/);
    assert.deepEqual(await kept(), [1]);
  });

  test('belong to it where it has begun', async () => {
    const refused = on((connection) =>
      transaction(connection, async () => {
        await add(connection, 3);
        await add(connection, 4, alone);
        throw new Error('refused');
      }),
    );
    await assert.rejects(refused, /refused/);
    assert.deepEqual(await kept(), [1]);
  });

  test('leave nothing when they fail, and the transaction goes on', async () => {
    await on((connection) =>
      transaction(connection, async (commit) => {
        await assert.rejects(add(connection, 1, alone), /invoicing_counters_pkey/);
        await add(connection, 5);
        await commit(Promise.resolve());
      }),
    );
    assert.deepEqual(await kept(), [1, 5]);
  });
});

describe('a work that may be repeated', () => {
  test('is run again when what it chose was taken, and not for other reasons', async () => {
    const tries: number[] = [];
    const run = (repeats: boolean) =>
      on((connection) =>
        transaction(connection, async (commit) => {
          const work = new Work({
            connection,
            organization_id: 'org_x',
            actor: systemActor,
            now: new Date(),
            request_id: null,
            ip_address: null,
          });
          if (repeats) work.repeatOn('invoicing_counters_pkey');
          const n = tries.push(0) === 2 ? 6 : 1;
          work.run(ADD, [String(n), n]);
          work.nothingChanged();
          await commit(work.finish());
        }),
      );
    await run(true);
    assert.equal(tries.length, 2);
    assert.deepEqual(await kept(), [1, 5, 6]);
    await assert.rejects(run(false), { constraint: 'invoicing_counters_pkey', code: '23505' });
    assert.equal(tries.length, 3);
  });
});
