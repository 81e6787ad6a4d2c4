import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { after, test } from 'node:test';
import pino from 'pino';
import { domains } from '../../shared/domains.ts';
import { diskStorage } from '../../shared/platform/storage/disk.ts';
import type { Sweep } from '../../shared/platform/sweeps/sweep.ts';
import { sweepsOf } from '../../shared/platform/sweeps/sweeps.ts';
import { missingProcesses, releaseSweepsOf } from '../../workers/kernel/liveness.ts';
import { begins, ended, startSchedules } from '../../workers/kernel/schedules.ts';
import { freshDatabase } from '../support/database.ts';
import { newUser } from '../support/mail-states.ts';
import { until } from '../support/until.ts';

const { database, drop } = await freshDatabase();
after(drop);

const start = new Date('2026-11-21T00:00:00.000Z');
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000);
const sweepOf = (name: string, run: Sweep['run'] = async () => 0): Sweep => ({
  name,
  description: { en: '', ja: '' },
  every: 60_000,
  run,
});
const log = pino({ level: 'silent' });

const PROCESS = 1;

function claims(sweep: Sweep, now: Date): Promise<boolean> {
  return begins(database, sweep, { now, process_number: PROCESS });
}

function query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return database.withConnection('*', (connection) => connection.query<Row>(text, values));
}

function finished(name: string): Promise<unknown> {
  return query('UPDATE sweeps SET running_until = NULL WHERE name = $1', [name]);
}

test('of many processes one runs a sweep, and again when its interval has passed', async () => {
  const sweep = sweepOf('one of many');
  const tries = await Promise.all([1, 2, 3, 4, 5].map(() => claims(sweep, start)));
  assert.equal(tries.filter(Boolean).length, 1);
  await finished(sweep.name);
  assert.equal(await claims(sweep, later(59)), false);
  assert.equal(await claims(sweep, later(60)), true);
});

test('a sweep that runs still is not started a second time, unless its process is long dead', async () => {
  const sweep = sweepOf('long');
  assert.equal(await claims(sweep, start), true);
  assert.equal(await claims(sweep, later(120)), false);
  assert.equal(await claims(sweep, later(600)), true);
});

test('a run that lasted beyond its claim leaves the claim of the next one as it is', async () => {
  const sweep = sweepOf('overtaken');
  assert.equal(await claims(sweep, start), true);
  assert.equal(await claims(sweep, later(600)), true);
  const state = () => query("SELECT * FROM sweeps WHERE name = 'overtaken'");
  const claimed = await state();
  const late = { started_at: start, now: later(601), count: 7, problem: null };
  assert.equal(await ended(database, sweep, late), false);
  assert.deepEqual(await state(), claimed);
  assert.equal(await claims(sweep, later(700)), false);
  assert.equal(await ended(database, sweep, { ...late, started_at: later(600), now: later(710) }), true);
  assert.equal(await claims(sweep, later(720)), true);
});

test('a process that looked at its clock before another one began, or whose clock is behind, begins none beside it', async () => {
  const sweep = sweepOf('looked earlier');
  assert.equal(await claims(sweep, later(0.005)), true);
  assert.equal(await claims(sweep, start), false);
  const done = { started_at: later(0.005), now: later(1), count: 0, problem: null };
  assert.equal(await ended(database, sweep, done), true);
  assert.equal(await claims(sweep, start), false);
  assert.equal(await claims(sweep, later(-119)), false);
  const beside = await claims(sweep, later(61));
  assert.equal(beside, true);
  assert.equal(await claims(sweep, later(2)), false);
});

test('what a dead process ran is run again when its time comes, and what a living one runs is left alone', async () => {
  const [dead, living] = [sweepOf('of the dead'), sweepOf('of the living')];
  assert.equal(await claims(dead, start), true);
  assert.equal(await begins(database, living, { now: start, process_number: PROCESS + 1 }), true);
  const missing = await database.withConnection('*', (connection) => missingProcesses(connection, []));
  assert.deepEqual(
    missing.filter((one) => one <= PROCESS + 1).sort(),
    [PROCESS, PROCESS + 1],
    'neither holds a lock',
  );
  const released = await database.withConnection('*', (connection) => releaseSweepsOf(connection, [PROCESS]));
  assert.ok(released.includes(dead.name) && !released.includes(living.name), released.join());
  assert.equal(await claims(dead, later(59)), false);
  assert.equal(await claims(dead, later(60)), true);
  assert.equal(await claims(living, later(60)), false);
});

test('a clock that was set back does not stop a sweep', async () => {
  const sweep = sweepOf('clock');
  assert.equal(await claims(sweep, later(86_400)), true);
  assert.equal(await claims(sweep, start), true);
});

test('a sweep that fails says why, and runs again at its time', async () => {
  let runs = 0;
  let now = start;
  const sweep = sweepOf('fails', async () => {
    runs += 1;
    throw new Error(`failure ${runs}`);
  });
  const schedules = startSchedules({
    database,
    sweeps: [sweep],
    process_number: PROCESS,
    log,
    clock: () => now,
    may_work: () => true,
  });
  const error = () => query<{ error: string }>("SELECT error FROM sweeps WHERE name = 'fails'");
  await until('the first failure', async () => (await error())[0]?.error === 'failure 1');
  now = later(60);
  await until('the second failure', async () => (await error())[0]?.error === 'failure 2');
  await schedules.end();
  assert.equal(runs, 2);
});

test('a process with nothing to do writes nothing, and leaves nothing behind however long it waits', async (t) => {
  const listening = t.mock.method(AbortSignal.prototype, 'addEventListener');
  const leaving = t.mock.method(AbortSignal.prototype, 'removeEventListener');
  const sweeps = ['idle one', 'idle two'].map((name) => sweepOf(name));
  let looks = 0;
  const schedules = startSchedules({
    database,
    sweeps,
    process_number: PROCESS,
    log,
    clock: () => start,
    may_work: () => {
      looks += 1;
      return true;
    },
  });
  const versions = () =>
    query("SELECT name, xmin, xmax, ctid FROM sweeps WHERE name LIKE 'idle%' ORDER BY name");
  const done = "SELECT name FROM sweeps WHERE name LIKE 'idle%' AND finished_at IS NOT NULL";
  await until('both ran', async () => (await query(done)).length === 2);
  const before = await versions();
  const enough = looks + 3;
  await until('three more looks', () => looks >= enough);
  assert.deepEqual(await versions(), before);
  await schedules.end();
  assert.ok(listening.mock.callCount() > 0);
  assert.equal(leaving.mock.callCount(), listening.mock.callCount());
});

test('what has had its time is removed, and nothing else', async () => {
  const day = 24 * 3600;
  const user_id = await newUser(database, 'sweep');
  const at = (seconds: number) => later(seconds).toISOString();
  await query(
    `INSERT INTO idempotency_keys VALUES
       ('org_x', 'ak_x', 'old', 'f', 200, '{}', '{}', $1), ('org_x', 'ak_x', 'young', 'f', 200, '{}', '{}', $2)`,
    [at(-day - 1), at(-day + 1)],
  );
  await query("INSERT INTO receipts VALUES ('org_x', 'old', $1), ('org_x', 'young', $2)", [
    at(-30 * day - 1),
    at(-30 * day + 1),
  ]);
  await query(
    `INSERT INTO sessions (id, user_id, token, expires_at, created_at, updated_at)
     VALUES ('old', $1, 'a', $2, $2, $2), ('young', $1, 'b', $3, $3, $3)`,
    [user_id, at(-1), at(1)],
  );
  await query(
    `INSERT INTO verifications (id, identifier, value, expires_at, created_at, updated_at)
     VALUES ('old', 'i', 'v', $1, $1, $1), ('young', 'i', 'v', $2, $2, $2)`,
    [at(-1), at(1)],
  );
  await query(
    `INSERT INTO batches (organization_id, id, request, created_at)
     VALUES ('org_x', 'old', '{}', $1), ('org_x', 'young', '{}', $2)`,
    [at(-30 * day - 1), at(-30 * day + 1)],
  );
  await query(
    `INSERT INTO batch_entries (organization_id, batch_id, position, record_id)
     VALUES ('org_x', 'old', 1, 'old'), ('org_x', 'young', 1, 'young')`,
  );
  const counts = new Map<string, number>();
  for (const sweep of sweepsOf(domains, { storage: diskStorage(tmpdir()), data_dir: tmpdir() })) {
    const count = await sweep.run(database, start, new AbortController().signal);
    if (count > 0) counts.set(sweep.name, count);
  }
  assert.deepEqual(Object.fromEntries(counts), {
    expired_batches: 1,
    expired_idempotency_keys: 1,
    expired_receipts: 1,
    expired_sessions: 1,
    expired_verifications: 1,
  });
  const left = await query(
    `SELECT key AS name FROM idempotency_keys UNION ALL SELECT delivery_id FROM receipts
     UNION ALL SELECT id FROM sessions UNION ALL SELECT id FROM verifications
     UNION ALL SELECT id FROM batches UNION ALL SELECT record_id FROM batch_entries`,
  );
  assert.deepEqual(left, Array(6).fill({ name: 'young' }));
});
