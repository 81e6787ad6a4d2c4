import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { migrate, migrateDown, migrationStatus } from '../../shared/db/migrate.ts';
import { testServer } from '../support/postgres.ts';

const name = `crm_migration_${process.pid}`;
const quiet = { log: () => {} };
let server: string;
let url: string;
let client: pg.Client;

before(async () => {
  server = (await testServer()).url;
  await once(server, `CREATE DATABASE ${name}`);
  url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  await migrate(url, quiet);
  client = new pg.Client({ connectionString: url });
  await client.connect();
});

after(async () => {
  await client.end();
  await once(server, `DROP DATABASE ${name} WITH (FORCE)`);
});

describe('the tables of the CRM', () => {
  it('name the organization in every unique index', async () => {
    const { rows } = await client.query(`
      SELECT indexrelid::regclass::text AS index FROM pg_index i
      JOIN pg_class c ON c.oid = i.indrelid
      WHERE c.relname LIKE 'crm\\_%' AND i.indisunique AND NOT EXISTS (
        SELECT FROM pg_attribute a
        WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey) AND a.attname = 'organization_id')`);
    assert.deepEqual(rows, []);
  });

  it('name the organization in every reference', async () => {
    const { rows } = await client.query(`
      SELECT conname FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
      WHERE c.relname LIKE 'crm\\_%' AND k.contype = 'f' AND NOT EXISTS (
        SELECT FROM pg_attribute a
        WHERE a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey) AND a.attname = 'organization_id')`);
    assert.deepEqual(rows, []);
  });

  it('can follow every reference back by an index, but those to members, who are never removed', async () => {
    const { rows } = await client.query(`
      SELECT conname FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
      WHERE c.relname LIKE 'crm\\_%' AND k.contype = 'f'
        AND k.confrelid NOT IN ('members'::regclass, 'organizations'::regclass)
        AND NOT EXISTS (
          SELECT FROM pg_index i WHERE i.indrelid = k.conrelid
            AND (i.indkey::int2[])[0] = ANY (k.conkey) AND (i.indkey::int2[])[1] = ANY (k.conkey))`);
    assert.deepEqual(rows, []);
  });
});

describe('a company that is deleted', () => {
  it('is let go by contacts and activities, which stay in their organization', async () => {
    await client.query(`
      INSERT INTO organizations VALUES ('org_a', 'A', 'a', '2026-02-22', now(), now());
      INSERT INTO crm_companies (organization_id, id, name, honorific, custom_fields, sort_name, name_key,
        search_text, search_grams, created_at, updated_at)
      VALUES ('org_a', 'comp_1', 'A', '', '{}', 'a', 'a', 'a', '{97}', now(), now());
      INSERT INTO crm_contacts (organization_id, id, first_name, last_name, full_name, company_id, custom_fields,
        sort_name, search_text, search_grams, created_at, updated_at)
      VALUES ('org_a', 'cont_1', 'A', 'B', 'A B', 'comp_1', '{}', 'a b', 'a b', '{97}', now(), now());
      INSERT INTO crm_activities (organization_id, id, type, content, company_id, occurred_at, created_at, updated_at)
      VALUES ('org_a', 'act_1', 'note', 'text', 'comp_1', now(), now(), now());
      INSERT INTO crm_tags VALUES ('org_a', 'tag_1', 'A', 'a', '#000000', now(), now());
      INSERT INTO crm_tag_assignments (organization_id, id, tag_id, company_id, created_at)
      VALUES ('org_a', 'taga_1', 'tag_1', 'comp_1', now());
    `);
    const made = await client.query('SELECT resource_type, resource_id FROM crm_tag_assignments');
    assert.deepEqual(made.rows, [{ resource_type: 'company', resource_id: 'comp_1' }]);
    await client.query(`DELETE FROM crm_companies WHERE id = 'comp_1'`);
    const { rows } = await client.query(`
      SELECT organization_id, company_id FROM crm_contacts
      UNION ALL SELECT organization_id, company_id FROM crm_activities`);
    assert.deepEqual(rows, Array(2).fill({ organization_id: 'org_a', company_id: null }));
    assert.equal((await client.query('SELECT FROM crm_tag_assignments')).rowCount, 0);
  });
});

describe('the migrations', () => {
  it('can be taken back one by one and applied again', async () => {
    const applied = async () => (await migrationStatus(url)).filter((one) => one.applied).length;
    for (let left = await applied(); left > 0; left -= 1) {
      await migrateDown(url, quiet);
      assert.equal(await applied(), left - 1);
    }
    await migrate(url, quiet);
    assert.equal((await client.query('SELECT FROM crm_companies')).rowCount, 0);
  });
});

async function once(address: string, text: string): Promise<void> {
  const one = new pg.Client({ connectionString: address });
  await one.connect();
  await one.query(text).finally(() => one.end());
}
