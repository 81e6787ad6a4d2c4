import assert from 'node:assert/strict';
import type { Database } from '../../../shared/db/database.ts';
import { newActor, type TestActor } from '../../support/actors.ts';
import { freshDatabase } from '../../support/database.ts';
import { type Server, startServer } from '../servers.ts';

/** An organization with the API, and beside it what Koa and Objection alone do, on one database. */
export type BenchForms = {
  database: Database;
  url: string;
  actor: TestActor;
  headers: Record<string, string>;
  ours: Server;
  bare: Server;
  // biome-ignore lint/suspicious/noExplicitAny: answers of the API, of any shape.
  call: (method: string, path: string, body?: object) => Promise<any>;
  close: () => Promise<void>;
};

/** The rows that the baseline writes. */
const BARE_ROWS = `CREATE TABLE bare_responses (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  form_id text COLLATE "C" NOT NULL,
  data jsonb NOT NULL,
  submitted_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
)`;

export async function openBenchForms(): Promise<BenchForms> {
  const { database, url, drop } = await freshDatabase({ statement_timeout: 1_800_000 });
  const actor = await newActor(database);
  await database.withConnection('*', ({ query }) => query(BARE_ROWS));
  const environment = { DATABASE_URL: url, AUTH_SECRET: 'a secret of the benchmark, long enough' };
  // Guests come from many addresses, as behind a proxy on this machine.
  const ours = await startServer('ours', 'api/main.ts', { ...environment, TRUSTED_PROXIES: '127.0.0.1,::1' });
  const bare = await startServer('bare', 'test/bench/baselines/responses.ts', {
    ...environment,
    ORGANIZATION: actor.organization_id,
  });
  const headers = { authorization: `Bearer ${actor.secret}`, 'content-type': 'application/json' };
  return {
    database,
    url,
    actor,
    headers,
    ours,
    bare,
    async call(method, path, body) {
      const reply = await fetch(`${ours.base_url}/api/v1${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      assert.ok(reply.ok, `${method} ${path}: ${text}`);
      return JSON.parse(text);
    },
    async close() {
      await ours.stop();
      await bare.stop();
      await drop();
    },
  };
}
