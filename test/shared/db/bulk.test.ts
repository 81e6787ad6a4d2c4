import { deepEqual, equal, rejects } from 'node:assert/strict';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { type Bulk, withBulk } from '../../../shared/db/bulk.ts';
import { transaction } from '../../../shared/db/transaction.ts';
import { freshDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';

const { url, database, drop } = await freshDatabase();
after(drop);

const STAGING = 'CREATE TEMP TABLE staging (number int, word text)';

const on = <T>(run: (bulk: Bulk) => Promise<T>, signal?: AbortSignal) =>
  withBulk({ url, organization_id: 'org_test', signal }, run);

async function* lines(...parts: string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

describe('much data on a connection of its own', () => {
  test('goes in and comes out as it was, whatever the cut of the buffers', async () => {
    const out = await on(async ({ connection, copyIn, copyOut }) => {
      await connection.query(STAGING);
      await copyIn('COPY staging FROM STDIN', lines('1\t田', '中\n2\t\\N\n3', '\tthree\n'));
      return buffer(copyOut('COPY (SELECT * FROM staging ORDER BY number DESC) TO STDOUT'));
    });
    equal(out.toString(), '3\tthree\n2\t\\N\n1\t田中\n');
  });

  test('goes in with the transaction or not at all', async () => {
    const left = await on(async ({ connection, copyIn }) => {
      await connection.query(STAGING);
      const failing = transaction(connection, async () => {
        await connection.query('TRUNCATE staging');
        await copyIn('COPY staging FROM STDIN', lines('1\tone\n'));
        throw new Error('changed my mind');
      });
      await rejects(failing, /changed my mind/);
      return connection.query('SELECT * FROM staging');
    });
    deepEqual(left, []);
  });

  test('leaves the connection fit for use after a refused line, and after a source that broke', async () => {
    const rows = await on(async ({ connection, copyIn }) => {
      await connection.query(STAGING);
      await rejects(copyIn('COPY staging FROM STDIN', lines('x\tone\n')), { code: '22P02' });
      async function* broken() {
        yield Buffer.from('1\tone\n');
        throw new Error('the source broke');
      }
      await rejects(copyIn('COPY staging FROM STDIN', broken()), /the source broke/);
      return connection.query('SELECT * FROM staging');
    });
    deepEqual(rows, []);
  });

  test('is cut by its signal, and the reason of the signal is what is thrown', async () => {
    const stop = new AbortController();
    const pid = Promise.withResolvers<number>();
    const running = on(async ({ connection }) => {
      const [row] = await connection.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      pid.resolve(row!.pid);
      await connection.query('SELECT pg_sleep(600)');
    }, stop.signal);
    running.catch(() => undefined);
    await pid.promise;
    stop.abort(new Error('enough'));
    await rejects(running, /enough/);
  });

  test('ends by itself when its reader leaves a COPY in the middle', async () => {
    const pid = await on(async ({ connection, copyOut }) => {
      const [row] = await connection.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const stream = copyOut(
        'COPY (SELECT repeat(md5(n::text), 100) FROM generate_series(1, 100000) n) TO STDOUT',
      );
      for await (const part of stream) if (part.length > 0) break;
      return row!.pid;
    });
    await until('the server to notice', async () => {
      const look = 'SELECT 1 FROM pg_stat_activity WHERE pid = $1';
      const rows = await database.withConnection('*', ({ query }) => query(look, [pid]));
      return rows.length === 0;
    });
  });

  test('ends without harm when nobody has begun to read its COPY, and tells who reads it later', async () => {
    let left: Readable | undefined;
    const leaving = on(async ({ connection, copyOut }) => {
      await connection.query('SELECT 1');
      left = copyOut('COPY (SELECT n FROM generate_series(1, 100000) n) TO STDOUT');
      throw new Error('the store takes nothing');
    });
    await rejects(leaving, /the store takes nothing/);
    await rejects(buffer(left!), /terminated/);
  });
});
