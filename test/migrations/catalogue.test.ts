import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { freshDatabase } from '../support/database.ts';

/**
 * The few tables that belong to no organization: people and their sessions, what is unique across organizations, what
 * counts requests, tries of jobs or mails of all, the certificates with which the installation seals, and what the law says of input tax
 * and of records of consent.
 * Everything else is a tenant's, and must stay so whatever the code does.
 */
const SHARED = new Set([
  'organizations',
  'users',
  'sessions',
  'accounts',
  'verifications',
  'api_key_hashes',
  'links',
  'knex_migrations',
  'knex_migrations_lock',
  'link_keys',
  'sweeps',
  'installations',
  'queue_engine',
  'queue_minutes',
  'rate_limits',
  'worker_processes',
  'queue_pauses',
  'attempts',
  'sign_seal_certificates',
  'received_tax_rules',
  'mail_law_periods',
  'mail_send_installation',
]);

const { database, drop } = await freshDatabase();
after(drop);

async function query<Row extends object>(text: string): Promise<Row[]> {
  return database.withConnection('*', (connection) => connection.query<Row>(text));
}

const tables = await query<{ name: string; columns: string[] }>(
  `SELECT table_name AS name, array_agg(column_name::text) AS columns
     FROM information_schema.columns
     JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' GROUP BY table_name ORDER BY table_name`,
);
const tenantTables = tables.filter(({ name }) => !SHARED.has(name));

describe('the tables of organizations', () => {
  test('all name their organization', () => {
    assert.ok(tenantTables.length > 10);
    const without = tenantTables.filter(({ columns }) => !columns.includes('organization_id'));
    assert.deepEqual(
      without.map(({ name }) => name),
      [],
    );
  });

  test('have the organization first in the primary key', async () => {
    const keys = await indexes('indisprimary');
    for (const { name } of tenantTables) {
      const key = keys.find(({ table }) => table === name);
      assert.ok(key, `${name} has no primary key`);
      assert.equal(key.columns[0], 'organization_id', `${name}: ${key.columns}`);
    }
  });

  test('have the organization in every unique index', async () => {
    const wrong = (await indexes('indisunique')).filter(
      ({ columns }) => !columns.includes('organization_id'),
    );
    assert.deepEqual(
      wrong.map(({ name }) => name),
      [],
    );
  });

  test('have the organization in every foreign key, on both sides', async () => {
    const keys = await query<{ name: string; table: string; target: string; from: string[]; to: string[] }>(
      `SELECT conname AS name, conrelid::regclass::text AS table, confrelid::regclass::text AS target,
              (SELECT array_agg(attname::text) FROM pg_attribute
                WHERE attrelid = conrelid AND attnum = ANY (conkey)) AS from,
              (SELECT array_agg(attname::text) FROM pg_attribute
                WHERE attrelid = confrelid AND attnum = ANY (confkey)) AS to
         FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`,
    );
    assert.ok(keys.length > 10);
    const tenant = new Set(tenantTables.map(({ name }) => name));
    for (const { name, table, target, from, to } of keys) {
      if (!tenant.has(table)) continue;
      if (target === 'users') continue; // A member row is what ties an account to an organization.
      assert.ok(from.includes('organization_id'), `${name} leaves the organization`);
      assert.ok(
        target === 'organizations' || to.includes('organization_id'),
        `${name} reaches another organization`,
      );
    }
  });

  test('keep IDs as text that compares as bytes', async () => {
    const wrong = await query<{ name: string }>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND column_name ~ '(^|_)id$' AND data_type = 'text'
          AND collation_name IS DISTINCT FROM 'C' AND table_name NOT LIKE 'knex%'`,
    );
    assert.deepEqual(wrong, []);
  });

  test('take no change of an audit entry, nor of the trail of a document for signing', async () => {
    for (const table of ['audit_logs', 'sign_trail']) {
      await assert.rejects(query(`TRUNCATE ${table}`), /inserts only/);
      const refused = await query<{ event: string }>(
        `SELECT DISTINCT event_manipulation AS event FROM information_schema.triggers
          WHERE event_object_table = '${table}' AND action_statement LIKE '%refuse_change()%' AND action_timing = 'BEFORE'
          ORDER BY 1`,
      );
      assert.deepEqual(
        refused.map(({ event }) => event),
        ['DELETE', 'UPDATE'],
      );
    }
  });
});

async function indexes(kind: 'indisprimary' | 'indisunique') {
  const all = await query<{ name: string; table: string; columns: string[] }>(
    `SELECT index.indexrelid::regclass::text AS name, index.indrelid::regclass::text AS table,
            array_agg(attribute.attname::text ORDER BY place.n) AS columns
       FROM pg_index AS index
       JOIN pg_class AS class ON class.oid = index.indrelid AND class.relnamespace = 'public'::regnamespace
      CROSS JOIN LATERAL unnest(index.indkey) WITH ORDINALITY AS place (number, n)
       LEFT JOIN pg_attribute AS attribute
         ON attribute.attrelid = index.indrelid AND attribute.attnum = place.number
      WHERE index.${kind} GROUP BY index.indexrelid, index.indrelid`,
  );
  return all.filter(({ table }) => tenantTables.some(({ name }) => name === table));
}
