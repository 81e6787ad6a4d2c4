import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { jobNotices, PRESENT } from '../../../../shared/platform/jobs/notices.ts';
import { freshDatabase } from '../../../support/database.ts';
import { until } from '../../../support/until.ts';

const own = await freshDatabase();
const notices = jobNotices({ url: own.url, troubled: () => undefined });
after(async () => {
  await notices.end();
  await own.drop();
});

const LONG = 120_000;

function notify(job_id: string): Promise<unknown> {
  return own.database.withConnection('*', ({ query }) => query("SELECT pg_notify('jobs', $1)", [job_id]));
}

test('a notice is told to whoever waits, and kept for who asks later', async () => {
  const [first, second] = [notices.watch('job_one'), notices.watch('job_one')];
  const other = notices.watch('job_two');
  // The connection that listens says so with a notice for everybody.
  for (const watch of [first, second, other]) assert.equal(await watch.changed(LONG), true);
  const waiting = first.changed(LONG);
  await notify('job_one');
  assert.equal(await waiting, true);
  assert.equal(await second.changed(LONG), true);
  assert.equal(await second.changed(1), false);
  assert.equal(await other.changed(1), false);
  assert.equal(await other.changed(LONG, AbortSignal.abort()), false);
  const stopping = new AbortController();
  const stopped = other.changed(LONG, stopping.signal);
  stopping.abort();
  assert.equal(await stopped, false);
  for (const watch of [first, second, other]) watch.end();
  assert.equal(notices.watched(), 0);
});

test('waiting in vain leaves nothing behind, however often', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const watch = notices.watch('job_silent');
  const wait = (times: number) => Promise.all(Array.from({ length: times }, () => watch.changed(1)));
  // Once before the measurement: tables of the engine keep the size that they grew to.
  await wait(20_000);
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let round = 0; round < 2; round++) await wait(20_000);
  collect();
  const grown = process.memoryUsage().heapUsed - before;
  watch.end();
  assert.ok(grown < 8_000_000, `${grown} bytes for 40,000 heartbeats`);
});

test('a process is present while its connection lasts, and then by another number', async () => {
  const before = await notices.presence(LONG);
  assert.equal((await notices.presence(LONG)).number, before.number);
  const isPresent = async (number: number) => {
    const [row] = await own.database.withConnection('*', ({ query }) =>
      query<{ found: boolean }>(`SELECT $1::integer = ANY (${PRESENT}) AS found`, [number]),
    );
    return row!.found;
  };
  assert.equal(await isPresent(before.number), true);
  await own.database.withConnection('*', ({ query }) =>
    query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks
        WHERE locktype = 'advisory' AND objsubid = 2 AND objid::bigint = $1`,
      [before.number],
    ),
  );
  await until('it is noticed', () => before.lost.aborted);
  const after = await notices.presence(LONG);
  assert.notEqual(after.number, before.number);
  assert.deepEqual([await isPresent(before.number), await isPresent(after.number)], [false, true]);
});

test('where the server does not answer, nobody is present in time', async () => {
  const away = jobNotices({ url: 'postgres://nobody@127.0.0.1:1/none', troubled: () => undefined });
  await assert.rejects(away.presence(1), { code: 'unavailable' });
  await away.end();
});
