import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { loadOncePerTurn } from '../../../shared/db/load-once-per-turn.ts';
import { transaction } from '../../../shared/db/transaction.ts';
import type { Connection } from '../../../shared/kernel/connection.ts';
import { type Reader, systemActor } from '../../../shared/kernel/reader.ts';
import { freshDatabase } from '../../support/database.ts';

const { database, drop } = await freshDatabase();
after(drop);

/** What was looked up, each time: the organization and the keys. */
let asked: string[] = [];
beforeEach(() => {
  asked = [];
});

const lookUp = loadOncePerTurn<string>(async ({ connection, organization_id }, keys) => {
  asked.push(`${organization_id}: ${keys.sort()}`);
  const rows = await connection.query<{ key: string; value: string }>(
    `SELECT key, upper(key) AS value FROM unnest($1::text[]) AS key WHERE key <> 'none'`,
    [keys],
    { alone: true },
  );
  return new Map(rows.map(({ key, value }) => [key, value]));
});

const readerOn = (connection: Connection, organization_id: string): Reader => ({
  connection,
  organization_id,
  actor: systemActor,
  now: new Date(),
  request_id: null,
  ip_address: null,
});

/** Lends as many connections as there are organizations, and hands them over at once. */
async function lend(organizations: string[], run: (readers: Reader[]) => Promise<void>): Promise<void> {
  const readers: Reader[] = [];
  const lendNext = async (): Promise<void> => {
    const organization_id = organizations[readers.length];
    if (organization_id === undefined) return run(readers);
    await database.withConnection(organization_id, (connection) => {
      readers.push(readerOn(connection, organization_id));
      return lendNext();
    });
  };
  await lendNext();
}

describe('what is looked up together', () => {
  test('is one statement for those of an organization who ask at once, each answered by its key', () =>
    lend(['org_a', 'org_a', 'org_b', 'org_a'], async (readers) => {
      const keys = ['x', 'y', 'x', 'none'];
      const found = await Promise.all(readers.map((reader, n) => lookUp(reader, keys[n]!)));
      assert.deepEqual(found, ['X', 'Y', 'X', undefined]);
      assert.deepEqual(asked, ['org_a: none,x,y', 'org_b: x']);
    }));

  test('is looked up again by who asks later', () =>
    lend(['org_a', 'org_a'], async ([one, other]) => {
      const first = lookUp(one!, 'x');
      await first;
      assert.equal(await lookUp(other!, 'x'), 'X');
      assert.deepEqual(asked, ['org_a: x', 'org_a: x']);
    }));

  test('is apart in a transaction that has begun, also when it began after asking', () =>
    lend(['org_a', 'org_a', 'org_a'], async ([one, two, three]) => {
      await transaction(one!.connection, async () => {
        const before = lookUp(one!, 'x');
        const beside = lookUp(two!, 'y');
        await one!.connection.query('SELECT 1');
        assert.deepEqual(await Promise.all([before, beside]), ['X', 'Y']);
        assert.deepEqual(await Promise.all([lookUp(one!, 'z'), lookUp(three!, 'x')]), ['Z', 'X']);
      });
      assert.deepEqual(asked, ['org_a: x,y', 'org_a: y', 'org_a: z', 'org_a: x']);
    }));

  test('is looked up by the others when the first one breaks off', async () => {
    const cut = new AbortController();
    const broken = Promise.withResolvers<void>();
    const first = database.withConnection(
      'org_a',
      async (connection) => {
        const found = lookUp(readerOn(connection, 'org_a'), 'x');
        broken.resolve();
        await found;
      },
      cut.signal,
    );
    await lend(['org_a'], async ([other]) => {
      await broken.promise;
      const found = lookUp(other!, 'y');
      cut.abort();
      await assert.rejects(first);
      assert.equal(await found, 'Y');
    });
  });
});
