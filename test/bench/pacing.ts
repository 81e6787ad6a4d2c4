import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../shared/db/database.ts';
import { wordsOf, workerGroups } from '../../start/groups.ts';
import { nodeFlags } from '../../start/launch.ts';
import { newActor, type TestActor } from '../support/actors.ts';
import { freshDatabase } from '../support/database.ts';
import { seedContacts } from '../support/many-contacts.ts';
import { quantile } from './imports/measuring.ts';
import { startServer } from './servers.ts';

const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
/** Requests a second: an office at work, far from what the API can do, so that waiting shows. */
const RATE = Number(process.env.BENCH_RATE ?? 60);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);

const bulk = workerGroups.find(({ name }) => name === 'workers-bulk')!;

/** The niceness of the process that imports, each in its turn: that of npm start, or `BENCH_NICE=0,5,10,19`. */
const NICE = (process.env.BENCH_NICE ?? String(bulk.nice)).split(',').map(Number);

/**
 * How long requests take while nothing else happens, and beside a large import of another organization; and how long a
 * small import waits behind the large one. Idle and busy take turns; requests come at a fixed rate, so that one that
 * waits does not hold up the next.
 */
export async function bench(): Promise<string> {
  const { database, url, drop } = await freshDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'pacing-'));
  const environment = {
    DATABASE_URL: url,
    DATA_DIR: folder,
    AUTH_SECRET: 'a secret of the benchmark, long enough',
  };
  const office = await newActor(database);
  await seedContacts(database, office, 20_000);
  await database.withConnection('*', ({ query }) => query('VACUUM ANALYZE'));
  const api = await startServer('ours', 'api/main.ts', environment);
  const idle: number[] = [];
  const busy = NICE.map((): Beside => ({ took: [], rates: [], small: [] }));
  try {
    await measure(api.base_url, office, 3);
    for (let round = 0; round < ROUNDS; round += 1) {
      idle.push(...(await measure(api.base_url, office, SECONDS)));
      for (const [place, nice] of NICE.entries()) {
        const stopWorkers = await startImportWorkers(environment, nice);
        try {
          await besideAnImport(api.base_url, office, database, busy[place]!);
        } finally {
          await stopWorkers();
        }
      }
    }
  } finally {
    await api.stop();
    await drop();
    rmSync(folder, { recursive: true, force: true });
  }
  const lines = [
    '| | requests | p50 ms | p95 ms | p99 ms | p95 / p95 idle | rows a second of the import | a file of 1,000 rows of another organization, s |',
    '|---|---|---|---|---|---|---|---|',
    `| idle | ${told(idle)} | | | |`,
  ];
  for (const [place, { took, rates, small }] of busy.entries()) {
    const ratio = (quantile(took, 0.95) / quantile(idle, 0.95)).toFixed(2);
    const waited = small.map((seconds) => seconds.toFixed(1)).join(', ');
    lines.push(
      `| beside an import, niceness ${NICE[place]} | ${told(took)} | ${ratio} | ${Math.round(quantile(rates, 0.5))} | ${waited} |`,
    );
  }
  return lines.join('\n');
}

/** What was measured beside imports: milliseconds of each request, rows a second of each import, seconds of each small one. */
type Beside = { took: number[]; rates: number[]; small: number[] };

/** Measures requests while a large file is imported, which is cancelled behind them. */
async function besideAnImport(
  base_url: string,
  office: TestActor,
  database: Database,
  { took, rates, small }: Beside,
): Promise<void> {
  const large = await newActor(database);
  const name = large.organization_id;
  const started = await importFile(base_url, large, rowsOf(ROWS, name));
  await until(base_url, large, started.id, ({ status }) => status === 'running');
  const measuring = measure(base_url, office, SECONDS);
  small.push(await smallImport(base_url, await newActor(database)));
  took.push(...(await measuring));
  const { processed_rows, status } = await readImport(base_url, large, started.id);
  if (status !== 'running') throw new Error(`The large import was ${status} before the time was over`);
  rates.push(processed_rows / SECONDS);
  await call(base_url, large, 'POST', `/api/v1/mail/imports/${started.id}/cancel`);
  await until(base_url, large, started.id, ({ status }) => status === 'cancelled');
}

/** What an office does: reads mostly, a write now and then. */
function nextRequest(n: number): [method: 'GET' | 'POST', path: string, body?: object] {
  if (n % 10 === 0) {
    const body = { first_name: '花子', last_name: '山田', email: `${n}@example.com` };
    return ['POST', '/api/v1/crm/contacts', body];
  }
  if (n % 3 === 0) return ['GET', '/api/v1/crm/contacts?cursor_mode=true'];
  if (n % 3 === 1)
    return ['GET', `/api/v1/crm/contacts?search=${encodeURIComponent('勅使')}&skip_total=true`];
  return ['GET', '/api/v1/members?limit=20'];
}

/** Milliseconds of each request, from the moment at which it was due. */
async function measure(base_url: string, office: TestActor, seconds: number): Promise<number[]> {
  const took: number[] = [];
  const pending: Promise<void>[] = [];
  const began = performance.now();
  for (let n = 0; n < seconds * RATE; n += 1) {
    const due = began + (n * 1000) / RATE;
    const wait = due - performance.now();
    if (wait > 0) await pause(wait);
    const asked = performance.now();
    const [method, path, body] = nextRequest(n);
    pending.push(
      call(base_url, office, method, path, body).then(() => {
        took.push(performance.now() - asked);
      }),
    );
  }
  await Promise.all(pending);
  return took;
}

async function smallImport(base_url: string, actor: TestActor): Promise<number> {
  const began = performance.now();
  const { id } = await importFile(base_url, actor, rowsOf(1_000, actor.organization_id));
  await until(base_url, actor, id, ({ status }) => status === 'completed');
  return (performance.now() - began) / 1000;
}

function rowsOf(count: number, name: string): string {
  const lines = ['email,first_name,last_name,company'];
  for (let n = 0; n < count; n += 1)
    lines.push(`${name}.${n}@example.com,花子${n % 97},山田,株式会社${n % 911}`);
  return lines.join('\r\n');
}

type Import = { id: string; status: string; processed_rows: number };

async function importFile(base_url: string, actor: TestActor, text: string): Promise<Import> {
  const form = new FormData();
  form.set('file', new Blob([text], { type: 'text/csv' }), 'contacts.csv');
  const response = await fetch(`${base_url}/api/v1/mail/contacts/import`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${actor.secret}` },
    body: form,
  });
  if (response.status !== 202) throw new Error(`${response.status}: ${await response.text()}`);
  return ((await response.json()) as { import: Import }).import;
}

async function readImport(base_url: string, actor: TestActor, id: string): Promise<Import> {
  const reply = await call(base_url, actor, 'GET', `/api/v1/mail/imports/${id}`);
  return (reply as { import: Import }).import;
}

async function until(base_url: string, actor: TestActor, id: string, is: (one: Import) => boolean) {
  for (let tries = 0; tries < 600; tries += 1) {
    const one = await readImport(base_url, actor, id);
    if (is(one)) return;
    if (one.status === 'failed') throw new Error('The import has failed');
    await pause(100);
  }
  throw new Error('The import did not get there within a minute');
}

async function call(
  base_url: string,
  actor: TestActor,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(base_url + path, {
    method,
    headers: { Authorization: `Bearer ${actor.secret}`, 'Content-Type': 'application/json' },
    body: body ? JSON.stringify(body) : null,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

async function startImportWorkers(
  environment: Record<string, string>,
  nice: number,
): Promise<() => Promise<void>> {
  const words = wordsOf({ ...bulk, queues: ['csv-import'], nice });
  const child = fork(resolve(import.meta.dirname, '../../workers/main.ts'), words, {
    env: { ...process.env, LOG_LEVEL: 'warn', ...environment },
    execArgv: nodeFlags(bulk),
  });
  const exited = once(child, 'exit');
  await once(child, 'message');
  return async () => {
    child.kill('SIGTERM');
    await exited;
  };
}

function told(took: readonly number[]): string {
  const shown = [0.5, 0.95, 0.99].map((share) => quantile(took, share).toFixed(1));
  return [took.length, ...shown].join(' | ');
}
