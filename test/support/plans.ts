import assert from 'node:assert/strict';
import { after } from 'node:test';
import pg from 'pg';
import { startApp, type TestApp } from './app.ts';
import type { Client } from './client.ts';
import { freshDatabase, type TestDatabase } from './database.ts';

type Statement = { text: string; values: readonly unknown[] };

/** What a call's reading statements did, as PostgreSQL tells it. */
export type Plans = {
  /** Every index that was used. */
  indexes: Set<string>;
  /** Tables that were read from end to end. */
  whole: Set<string>;
  /** Tables whose rows were read, not an index alone. */
  fetched: Set<string>;
  /** Rows of tables and of indexes that were looked at, all statements together. */
  rows: number;
};

type Node = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Node[];
};

export type Planned = {
  database: TestDatabase;
  /** Runs `call`, then explains every statement that it read with. */
  plansOf(call: () => Promise<unknown>): Promise<Plans>;
  /**
   * Runs `call`, and answers the indexes of the plans that PostgreSQL keeps for the statements it read with: after some runs, one
   * plan for any values.
   */
  keptIndexesOf(call: () => Promise<unknown>): Promise<Set<string>>;
  /** Runs what writes very many rows, without the indexes that only help reading; then makes these and counts rows. */
  fill<T>(write: () => Promise<T>): Promise<T>;
};

/** A database that remembers what is asked of it. */
export async function plannedDatabase(): Promise<Planned> {
  // Only during a call: the statements that fill tables hold all of their rows.
  let seen: Statement[] | null = null;
  const database = await freshDatabase({ on_statement: (text, values) => seen?.push({ text, values }) });
  const readBy = async (call: () => Promise<unknown>): Promise<Statement[]> => {
    const statements: Statement[] = [];
    seen = statements;
    await call();
    seen = null;
    const reading = statements.filter(
      ({ text }) =>
        /^\s*(select|with)\b/i.test(text) && !/advisory_|set_config|insert into|delete from/i.test(text),
    );
    assert.ok(reading.length > 0, 'nothing was read');
    return reading;
  };
  return {
    database,
    plansOf: async (call) => explain(database.url, await readBy(call)),
    keptIndexesOf: async (call) => explainKept(database.url, await readBy(call)),
    fill: (write) => filled(database.url, write),
  };
}

/** The API on such a database; both end with the test file. */
export async function plannedApp(): Promise<Planned & { app: TestApp }> {
  const planned = await plannedDatabase();
  const app = await startApp({ database: planned.database });
  after(() => planned.database.drop());
  return { ...planned, app };
}

/** What a call may read: through which index, how many rows at the most, and how many items it finds. */
export type Reading = { path: string; index: RegExp; most: number; found?: number };

/** Calls the path and asserts what it read: through that index, no more rows than said, no table whole but the small. */
export async function assertReads(
  { plansOf }: Planned,
  client: Client,
  small: ReadonlySet<string>,
  { path, index, most, found }: Reading,
): Promise<void> {
  const { indexes, whole, rows } = await plansOf(async () => {
    const reply = await client.get(path);
    assert.equal(reply.status, 200, reply.text);
    const items = reply.body.items ?? reply.body.data;
    if (found !== undefined) assert.equal(items.length, found, `${path} found ${items.length}`);
  });
  // The ledger of totals has few lines: a sweep folds it.
  const large = [...whole].filter((table) => !small.has(table) && table !== 'row_counts');
  assert.deepEqual(large, [], `${path} read a whole table`);
  assert.ok(
    [...indexes].some((name) => index.test(name)),
    `${path} used ${[...indexes]}`,
  );
  assert.ok(rows <= most, `${path} looked at ${rows} rows, more than ${most}`);
}

/** The same for the statements that a sweep reads with. */
export async function assertSweeps(
  { plansOf }: Planned,
  sweep: () => Promise<unknown>,
  small: ReadonlySet<string>,
  { indexes, most }: { indexes: readonly RegExp[]; most: number },
): Promise<void> {
  const read = await plansOf(sweep);
  assert.deepEqual(
    [...read.whole].filter((table) => !small.has(table)),
    [],
    'a whole table was read',
  );
  for (const index of indexes) {
    assert.ok(
      [...read.indexes].some((name) => index.test(name)),
      `${index} was not among ${[...read.indexes]}`,
    );
  }
  assert.ok(read.rows <= most, `${read.rows} rows were looked at, more than ${most}`);
}

/**
 * Runs what writes very many rows. An index made at once over all rows costs a fraction of one that each row is put into, and a foreign key that is
 * checked at once a fraction of one that is looked up for each row.
 */
export async function filled<T>(url: string, write: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `SELECT indexrelid::regclass AS name, pg_get_indexdef(indexrelid) AS definition
         FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
        WHERE relnamespace = 'public'::regnamespace AND NOT indisunique AND NOT indisexclusion`,
    );
    const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
      `SELECT conrelid::regclass AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
         FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace AND contype = 'f' AND conparentid = 0`,
    );
    for (const { table, name } of keys) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
    await client.query(`DROP INDEX ${indexes.map(({ name }) => name).join(', ')}`);
    const result = await write();
    await client.query("SET maintenance_work_mem = '256MB'");
    for (const { definition } of indexes) await client.query(definition);
    for (const { table, name, definition } of keys) {
      await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
    }
    await client.query('VACUUM ANALYZE');
    return result;
  } finally {
    await client.end();
  }
}

async function explain(url: string, statements: Statement[]): Promise<Plans> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const plans: Plans = { indexes: new Set(), whole: new Set(), fetched: new Set(), rows: 0 };
  try {
    for (const { text, values } of statements) {
      const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values as unknown[]);
      walk(rows[0]['QUERY PLAN'][0].Plan, plans);
    }
  } finally {
    await client.end();
  }
  return plans;
}

async function explainKept(url: string, statements: Statement[]): Promise<Set<string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const plans: Plans = { indexes: new Set(), whole: new Set(), fetched: new Set(), rows: 0 };
  try {
    for (const { text } of statements) {
      const { rows } = await client.query(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`);
      walk(rows[0]['QUERY PLAN'][0].Plan, plans);
    }
  } finally {
    await client.end();
  }
  return plans.indexes;
}

function walk(node: Node, plans: Plans): void {
  const kind = node['Node Type'];
  const loops = node['Actual Loops'] ?? 1;
  if (node['Index Name']) plans.indexes.add(node['Index Name']);
  if (kind === 'Seq Scan' && loops > 0) plans.whole.add(node['Relation Name']!);
  if (node['Relation Name']) {
    if (kind !== 'Index Only Scan') plans.fetched.add(node['Relation Name']);
    const looked =
      (node['Actual Rows'] ?? 0) +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0);
    plans.rows += looked * loops;
  }
  for (const child of node.Plans ?? []) walk(child, plans);
}
