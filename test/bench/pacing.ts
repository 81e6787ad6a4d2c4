import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { NODE_FLAGS } from '../../start/launch.ts';
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
  const stopWorkers = await startImportWorkers(environment);
  try {
    const lines = ['| | requests | p50 ms | p95 ms | p99 ms |', '|---|---|---|---|---|'];
    const idle: number[] = [];
    const busy: number[] = [];
    const small: number[] = [];
    const rates: number[] = [];
    await measure(api.base_url, office, 3);
    for (let round = 0; round < ROUNDS; round += 1) {
      idle.push(...(await measure(api.base_url, office, SECONDS)));
      const large = await newActor(database);
      const started = await importFile(api.base_url, large, rowsOf(ROWS, `large${round}`));
      await until(api.base_url, large, started.id, ({ status }) => status === 'running');
      const measuring = measure(api.base_url, office, SECONDS);
      small.push(await smallImport(api.base_url, await newActor(database), round));
      busy.push(...(await measuring));
      const { processed_rows, status } = await readImport(api.base_url, large, started.id);
      if (status !== 'running') throw new Error(`The large import was ${status} before the time was over`);
      rates.push(processed_rows / SECONDS);
      await call(api.base_url, large, 'POST', `/api/v1/mail/imports/${started.id}/cancel`);
      await until(api.base_url, large, started.id, ({ status }) => status === 'cancelled');
    }
    lines.push(told('idle', idle), told('beside an import', busy));
    const ratio = quantile(busy, 0.95) / quantile(idle, 0.95);
    lines.push('', `p95 beside an import / p95 idle: ${ratio.toFixed(2)}`);
    lines.push(`Rows a second of the large import meanwhile: ${Math.round(quantile(rates, 0.5))}`);
    lines.push(
      `A file of 1,000 rows of another organization, seconds to its end: ${small.map((each) => each.toFixed(1)).join(', ')}`,
    );
    return lines.join('\n');
  } finally {
    await stopWorkers();
    await api.stop();
    await drop();
    rmSync(folder, { recursive: true, force: true });
  }
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

async function smallImport(base_url: string, actor: TestActor, round: number): Promise<number> {
  const began = performance.now();
  const { id } = await importFile(base_url, actor, rowsOf(1_000, `small${round}`));
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

async function startImportWorkers(environment: Record<string, string>): Promise<() => Promise<void>> {
  const child = fork(resolve(import.meta.dirname, '../../workers/main.ts'), ['--queues', 'csv-import'], {
    env: { ...process.env, LOG_LEVEL: 'warn', ...environment },
    execArgv: NODE_FLAGS,
  });
  const exited = once(child, 'exit');
  await once(child, 'message');
  return async () => {
    child.kill('SIGTERM');
    await exited;
  };
}

function told(name: string, took: readonly number[]): string {
  const shown = [0.5, 0.95, 0.99].map((share) => quantile(took, share).toFixed(1));
  return `| ${name} | ${took.length} | ${shown.join(' | ')} |`;
}
