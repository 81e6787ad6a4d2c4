import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { migrate } from '../../shared/db/migrate.ts';
import { backTo } from '../support/back-to.ts';
import { freshDatabase } from '../support/database.ts';

const quiet = { log: () => {} };
const { url, drop } = await freshDatabase();
const client = new pg.Client({ connectionString: url });
await client.connect();
after(async () => {
  await client.end();
  await drop();
});

test('companies of before keep their keys, down and up again; keys of merged ones are refused to the release before', async () => {
  await backTo(url, '0039_own_keys');
  assert.deepEqual(await columnsOfCompanies('metadata'), []);
  await client.query(`INSERT INTO organizations VALUES ('org_a', 'A', 'a', '2026-02-22', now(), now())`);
  await makeCompany('comp_1', 'K-1');

  await migrate(url, quiet);
  await makeCompany('comp_2', 'K-2');
  assert.deepEqual(await companies('metadata'), [{}, {}]);
  await client.query(`
    INSERT INTO key_aliases VALUES ('org_a', 'comp', 'external_id', 'LOST', 'comp_1'),
      ('org_a', 'comp', 'external_id', 'LEFT', 'comp_2')`);
  const refused = { code: '23505', constraint: 'crm_companies_external_id_once' };
  await assert.rejects(makeCompany('comp_3', 'LOST'), refused);
  await assert.rejects(giveKey('comp_2', 'LOST'), refused);
  await giveKey('comp_1', 'LOST');
  assert.deepEqual(await aliases(), ['LEFT']);
  await client.query(`DELETE FROM crm_companies WHERE id = 'comp_2'`);
  assert.deepEqual(await aliases(), []);

  await client.query(`UPDATE crm_companies SET metadata = '{"a": "1"}'`);
  await backTo(url, '0039_own_keys');
  assert.deepEqual(await companies('external_id'), ['LOST']);
  await giveKey('comp_1', 'K-1');
  await migrate(url, quiet);
  assert.deepEqual(await companies('external_id'), ['K-1']);
  assert.deepEqual(await companies('metadata'), [{}]);
});

/** As the release before writes it: without `metadata`. */
async function makeCompany(id: string, external_id: string): Promise<void> {
  await client.query(
    `INSERT INTO crm_companies (organization_id, id, external_id, name, honorific, custom_fields, sort_name, name_key,
       search_text, search_grams, created_at, updated_at)
     VALUES ('org_a', $1, $2, 'A', '', '{}', 'a', 'a', 'a', '{97}', now(), now())`,
    [id, external_id],
  );
}

async function giveKey(id: string, external_id: string): Promise<void> {
  await client.query('UPDATE crm_companies SET external_id = $2 WHERE id = $1', [id, external_id]);
}

async function companies(column: 'external_id' | 'metadata'): Promise<unknown[]> {
  const { rows } = await client.query(`SELECT ${column} AS value FROM crm_companies ORDER BY id`);
  return rows.map(({ value }) => value);
}

async function aliases(): Promise<string[]> {
  const { rows } = await client.query<{ value: string }>('SELECT value FROM key_aliases ORDER BY value');
  return rows.map(({ value }) => value);
}

async function columnsOfCompanies(name: string): Promise<unknown[]> {
  const { rows } = await client.query(
    `SELECT FROM information_schema.columns WHERE table_name = 'crm_companies' AND column_name = $1`,
    [name],
  );
  return rows;
}
