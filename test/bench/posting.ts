import assert from 'node:assert/strict';
import pg from 'pg';
import { newActor, type TestActor } from '../support/actors.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { FIRST_YEAR, seedEntries } from '../support/many-entries.ts';
import { seedCompanies } from '../support/many-records.ts';
import { makeTables, writeByHand } from './baselines/posting-by-hand.ts';
import { median } from './imports/measuring.ts';
import { type Server, startServer } from './servers.ts';

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const LINES = Number(process.env['BENCH_ROWS'] ?? 1_000_000);
const MANY_CLIENTS = 16;

/** Entries of a batch, and lines of an entry. */
const [BATCH, SIDES] = [100, 4];

/** Organizations with a chart and a year, and a company that the entries name. */
type Owner = { actor: TestActor; company_id: string };

/**
 * What posting costs: batches of entries against the same rows written by hand with node and pg, single entries against
 * contacts, by one client and by 16 over 16 organizations, in turns on one API process; and the close of a year of a million
 * lines, alone and beside 200 posts.
 */
export async function bench(): Promise<string> {
  const test_database = await freshDatabase({ statement_timeout: 3_600_000 });
  const server = await startServer('ours', 'api/main.ts', {
    DATABASE_URL: test_database.url,
    AUTH_SECRET: 'a secret of the benchmark, long enough',
    RATE_LIMIT_PER_MINUTE: '0',
  });
  try {
    const owners: Owner[] = [];
    while (owners.length < MANY_CLIENTS) owners.push(await ownerOf(test_database, server));
    // Plans of a table that was empty when they were made are kept until the server looks at it, which it does by itself later.
    for (const owner of owners) await call(server, owner.actor, '/accounting/journals/batch', batchOf(owner));
    await test_database.database.withConnection('*', ({ query }) => query('VACUUM ANALYZE'));
    const lines = ['| | ours/s | baseline/s | ours/baseline | aim |', '|---|---|---|---|---|'];
    lines.push(await batches(test_database, server, owners[0]!));
    lines.push(await singles(server, owners.slice(0, 1)), await singles(server, owners));
    lines.push(
      '',
      '| close of a year | seconds | aim |',
      '|---|---|---|',
      ...(await closes(test_database, server)),
    );
    return lines.join('\n');
  } finally {
    await server.stop();
    await test_database.drop();
  }
}

async function ownerOf({ database }: TestDatabase, server: Server): Promise<Owner> {
  const actor = await newActor(database);
  const [company_id] = await seedCompanies(database, actor, 1);
  await call(server, actor, '/accounting/accounts/seed', {});
  await call(server, actor, '/accounting/fiscal-years', { start_date: '2026-01-01', end_date: '2026-12-31' });
  return { actor, company_id: company_id! };
}

async function call(
  { base_url }: Server,
  { secret }: TestActor,
  path: string,
  body: object,
): Promise<Response> {
  const reply = await fetch(`${base_url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.ok(reply.ok, `${path}: ${reply.status} ${await reply.clone().text()}`);
  await reply.arrayBuffer();
  return reply;
}

let sent = 0;

/** An entry of four lines on a day of 2026, with tax. */
function entry({ company_id }: Owner) {
  sent += 1;
  const date = new Date(Date.UTC(2026, 0, 1 + (sent % 365))).toISOString().slice(0, 10);
  const side = (account_code: string, amount: number) => {
    return { account_code, company_id, debit: Math.max(amount, 0), credit: Math.max(-amount, 0) };
  };
  return {
    date,
    description: `仕入 ${sent}`,
    lines: [side('5140', 1_000 + sent), side('1580', 100), side('2120', -(1_000 + sent)), side('1110', -100)],
  };
}

const entries = (owner: Owner) => Array.from({ length: BATCH }, () => entry(owner));

const batchOf = (owner: Owner) => ({ post: true, journals: entries(owner) });

/** How often `run` ends in some seconds, with so many of it at once. */
async function rate(
  at_once: number,
  run: (client: number) => Promise<unknown>,
  seconds: number,
): Promise<number> {
  const end = performance.now() + seconds * 1_000;
  let count = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: at_once }, async (_, client) => {
      while (performance.now() < end) {
        await run(client);
        count += 1;
      }
    }),
  );
  return (count * 1_000) / (performance.now() - began);
}

/** Ours and the baseline in turns; the first round warms both. */
async function compared(
  name: string,
  aim: number,
  ours: (seconds: number) => Promise<number>,
  baseline: (seconds: number) => Promise<number>,
): Promise<string> {
  const rates: [number, number][] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const pair: [number, number] = [
      await ours(round === 0 ? 1 : SECONDS),
      await baseline(round === 0 ? 1 : SECONDS),
    ];
    if (round > 0) rates.push(pair);
  }
  const of = (at: 0 | 1) => Math.round(median(rates.map((pair) => pair[at])));
  const ratio = median(rates.map(([one, other]) => one / other)).toFixed(2);
  return `| ${name} | ${of(0)} | ${of(1)} | ${ratio} | ${aim} |`;
}

async function batches({ url }: TestDatabase, server: Server, owner: Owner): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await makeTables(client);
  const ours = (seconds: number) =>
    rate(1, () => call(server, owner.actor, '/accounting/journals/batch', batchOf(owner)), seconds);
  const byHand = (seconds: number) =>
    rate(1, () => writeByHand(client, owner.actor.organization_id, entries(owner)), seconds);
  try {
    return await compared(
      `a batch of ${BATCH} posted entries of ${SIDES} lines; node and pg by hand`,
      0.5,
      ours,
      byHand,
    );
  } finally {
    await client.end();
  }
}

function singles(server: Server, owners: readonly Owner[]): Promise<string> {
  const of = (client: number) => owners[client % owners.length]!;
  const posts = (seconds: number) =>
    rate(
      owners.length,
      (client) => {
        return call(server, of(client).actor, '/accounting/journals', { ...entry(of(client)), post: true });
      },
      seconds,
    );
  const contacts = (seconds: number) =>
    rate(
      owners.length,
      (client) => {
        return call(server, of(client).actor, '/crm/contacts', { first_name: '花子', last_name: '山田' });
      },
      seconds,
    );
  const by = owners.length === 1 ? 'one client' : `${owners.length} clients, each of its own organization`;
  return compared(`posted entries of ${SIDES} lines by ${by}; contacts`, 0.3, posts, contacts);
}

/** A year of many lines is closed, reopened, and closed again beside 200 posts of the next one. */
async function closes(test_database: TestDatabase, server: Server): Promise<string[]> {
  const { database } = test_database;
  const actor = await newActor(database);
  await call(server, actor, '/accounting/accounts/seed', {});
  const [first, next] = [FIRST_YEAR, FIRST_YEAR + 1];
  const reply = await fetchYear(server, actor, first);
  await fetchYear(server, actor, next);
  const [company_id] = await seedCompanies(database, actor, 1);
  await seedEntries(database, actor, { lines: LINES, years: 1, companies: [company_id!] });
  await database.withConnection('*', ({ query }) => query('VACUUM ANALYZE'));
  const close = () => seconds(() => call(server, actor, `/accounting/fiscal-years/${reply}/close`, {}));
  const alone = await close();
  await call(server, actor, `/accounting/fiscal-years/${reply}/reopen`, { reason: '測定' });
  const owner = { actor, company_id: company_id! };
  const posts = Array.from({ length: 200 }, () => ({ ...entry(owner), date: `${next}-01-15`, post: true }));
  const posting = Promise.all(
    posts.map((body) => persistently(() => call(server, actor, '/accounting/journals', body))),
  );
  const beside = await close();
  await posting;
  const row = (name: string, time: number) => `| of ${LINES} lines, ${name} | ${time.toFixed(2)} | 2 |`;
  return [row('alone', alone), row('beside 200 posts', beside)];
}

async function fetchYear({ base_url }: Server, { secret }: TestActor, year: number): Promise<string> {
  const reply = await fetch(`${base_url}/api/v1/accounting/fiscal-years`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ start_date: `${year}-01-01`, end_date: `${year}-12-31` }),
  });
  const { fiscal_year } = (await reply.json()) as { fiscal_year: { id: string } };
  return fiscal_year.id;
}

/** Sends a post again where the service asked for patience: 200 at once are more than its connections. */
async function persistently(send: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await send();
      return;
    } catch (error) {
      if (!String(error).includes(' 503 ')) throw error;
    }
  }
}

async function seconds(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await run();
  return (performance.now() - began) / 1_000;
}
