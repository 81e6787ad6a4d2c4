import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after } from 'node:test';
import { type Database, openDatabase } from '../../shared/db/database.ts';
import { startEmbedded } from '../../shared/db/embedded.ts';
import { startApi } from './api.ts';
import { type Client, patientClientOf } from './client.ts';
import { freePort } from './free-port.ts';
import { movedClock } from './moved-clock.ts';
import { cookieOf, newEmail, PASSWORD } from './people.ts';
import { preparedFolder } from './prepared-folder.ts';
import { until } from './until.ts';
import { startWorkers, type TestWorkers } from './workers.ts';

/** The whole service by a clock that a test moves: database, API, and workers when they are started. */
export type MovedPrograms = {
  base_url: string;
  /** The folder of its data. */
  folder: string;
  /** Its database, past the rules about organizations. */
  database: Database;
  /** Workers of these queues, with a comma between their names; the sweeps run in any. */
  work(queues: string): Promise<TestWorkers>;
  /** Moves the clock forward to a time of Japan, as `2026-03-31T10:00`, and waits until the API goes by it. */
  moveTo(time: string): Promise<void>;
};

/** An instant of Japan's clock: that of the organizations of these tests. */
export const tokyo = (time: string) => `${time}:00+09:00`;

/** Starts the service at a time of Japan's clock. It ends with the test file. */
export async function movedPrograms(time: string): Promise<MovedPrograms> {
  const clock = movedClock();
  clock.setTime(tokyo(time));
  const folder = await preparedFolder();
  const server = await startEmbedded({
    dataDir: folder,
    log: () => {},
    settings: { fsync: 'off' },
    environment: clock.environment,
  });
  after(async () => {
    await server.stop();
    // The API still runs: it may make a folder anew that has just been emptied.
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  const database = openDatabase({ url: server.url, pool_size: 1 });
  after(() => database.end());
  const port = await freePort();
  const base_url = `http://127.0.0.1:${port}`;
  const own = { DATABASE_URL: server.url, DATA_DIR: folder, BASE_URL: base_url, ...clock.environment };
  await startApi(port, own);
  const moveTo = async (time: string) => {
    clock.setTime(tokyo(time));
    await until(`it is ${time}`, async () => {
      const { headers } = await fetch(`${base_url}/healthz`);
      const away = Date.parse(headers.get('date')!) - Date.parse(tokyo(time));
      return away >= -1_000 && away < 86_400_000;
    });
  };
  return { base_url, folder, database, moveTo, work: (queues) => startWorkers(own, ['--queues', queues]) };
}

/** An owner who signed up there, as a client with a key, and their address. */
export async function founded({ base_url }: MovedPrograms): Promise<Client & { email: string }> {
  const person = { name: '青葉 花子', email: newEmail(), password: PASSWORD };
  const browser = patientClientOf(base_url, {
    Cookie: cookieOf(await patientClientOf(base_url, {}).post('/auth/sign-up/email', person)),
  });
  assert.equal((await browser.post('/organizations', { name: '株式会社青葉珈琲' })).status, 201);
  const { body } = await browser.post('/api-keys', { name: 'key' });
  const { email } = person;
  return { ...patientClientOf(base_url, { Authorization: `Bearer ${body.secret}` }), email };
}
