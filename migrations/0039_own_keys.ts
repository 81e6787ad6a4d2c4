import type { Knex } from 'knex';

/** Each statement by itself, beside running writes: what waits for a table, waits without holding another one. */
export const config = { transaction: false };

/** The tables of records that clients make. Those of `known` had `external_id` before. */
const tables = {
  known: ['crm_companies', 'crm_contacts', 'crm_deals'],
  others: [
    'crm_activities',
    'crm_tags',
    'crm_pipelines',
    'crm_custom_fields',
    'mail_contacts',
    'mail_lists',
    'invoicing_documents',
    'invoicing_payments',
  ],
};

/** Documents of different kinds may have the same. */
const keyOf = (table: string) =>
  table === 'invoicing_documents' ? 'organization_id, kind, external_id' : 'organization_id, external_id';

/** The keys that merged records leave to those that stay, by table: prefix of the IDs, and keys. */
const merging = {
  crm_companies: { prefix: 'comp', keys: ['external_id', 'corporate_number'] },
  crm_contacts: { prefix: 'cont', keys: ['external_id'] },
};

/**
 * Of a record that takes a key: refuses one that a merged record left to another, as the unique index of the key does;
 * one that leads to the record itself becomes its own. A trigger runs after the index was waited for, and its query sees
 * what was committed meanwhile, so a merge and a write at the same time cannot both have a key.
 */
const ALIASES = `
  CREATE TABLE IF NOT EXISTS key_aliases (
    organization_id text COLLATE "C" NOT NULL,
    prefix text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    value text COLLATE "C" NOT NULL,
    record_id text COLLATE "C" NOT NULL,
    PRIMARY KEY (organization_id, prefix, key, value)
  );
  CREATE INDEX IF NOT EXISTS key_aliases_by_record ON key_aliases (organization_id, record_id);

  CREATE OR REPLACE FUNCTION refuse_key_of_merged() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    given text;
    holder text;
  BEGIN
    EXECUTE format('SELECT ($1).%I', TG_ARGV[1]) INTO given USING NEW;
    SELECT record_id INTO holder FROM key_aliases
     WHERE organization_id = NEW.organization_id AND prefix = TG_ARGV[0] AND key = TG_ARGV[1] AND value = given;
    IF holder = NEW.id THEN
      DELETE FROM key_aliases
       WHERE organization_id = NEW.organization_id AND prefix = TG_ARGV[0] AND key = TG_ARGV[1] AND value = given;
    ELSIF holder IS NOT NULL THEN
      RAISE unique_violation USING
        CONSTRAINT = TG_ARGV[2], TABLE = TG_TABLE_NAME, MESSAGE = 'A merged record left this key to another';
    END IF;
    RETURN NULL;
  END $$;

  CREATE OR REPLACE FUNCTION forget_key_aliases() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM key_aliases WHERE organization_id = OLD.organization_id AND record_id = OLD.id;
    RETURN NULL;
  END $$;
`;

function triggersOf(table: string, { prefix, keys }: { prefix: string; keys: readonly string[] }): string {
  const forget = `CREATE OR REPLACE TRIGGER ${table}_forget_aliases AFTER DELETE ON ${table}
      FOR EACH ROW EXECUTE FUNCTION forget_key_aliases();`;
  const refuse = keys.map((key) => {
    const refused = `EXECUTE FUNCTION refuse_key_of_merged('${prefix}', '${key}', '${table}_${key}_once');`;
    return `
      CREATE OR REPLACE TRIGGER ${table}_${key}_made AFTER INSERT ON ${table}
        FOR EACH ROW WHEN (NEW.${key} IS NOT NULL) ${refused}
      CREATE OR REPLACE TRIGGER ${table}_${key}_changed AFTER UPDATE OF ${key} ON ${table}
        FOR EACH ROW WHEN (NEW.${key} IS NOT NULL AND NEW.${key} IS DISTINCT FROM OLD.${key}) ${refused}`;
  });
  return [forget, ...refuse].join('\n');
}

export async function up(knex: Knex): Promise<void> {
  await knex.raw(ALIASES);
  for (const [table, keys] of Object.entries(merging)) await knex.raw(triggersOf(table, keys));
  for (const table of [...tables.known, ...tables.others]) {
    // A constant default is kept in the catalogue: no row is written, and the lock is held for a moment.
    await knex.raw(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS metadata jsonb NOT NULL DEFAULT '{}'`);
  }
  for (const table of tables.others) {
    await knex.raw(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS external_id text COLLATE "C"`);
    const name = `${table}_external_id_once`;
    // An index whose building was interrupted is there and serves nothing.
    await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await knex.raw(
      `CREATE UNIQUE INDEX CONCURRENTLY ${name} ON ${table} (${keyOf(table)}) WHERE external_id IS NOT NULL`,
    );
  }
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS invoicing_payments_by_change');
  await knex.raw(
    'CREATE INDEX CONCURRENTLY invoicing_payments_by_change ON invoicing_payments (organization_id, updated_at, id)',
  );
}

export async function down(knex: Knex): Promise<void> {
  for (const [table, { keys }] of Object.entries(merging)) {
    await knex.raw(`DROP TRIGGER IF EXISTS ${table}_forget_aliases ON ${table}`);
    for (const key of keys) {
      await knex.raw(`DROP TRIGGER IF EXISTS ${table}_${key}_made ON ${table}`);
      await knex.raw(`DROP TRIGGER IF EXISTS ${table}_${key}_changed ON ${table}`);
    }
  }
  await knex.raw(
    'DROP FUNCTION IF EXISTS refuse_key_of_merged(); DROP FUNCTION IF EXISTS forget_key_aliases()',
  );
  await knex.raw('DROP TABLE IF EXISTS key_aliases');
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS invoicing_payments_by_change');
  for (const table of tables.others) {
    await knex.raw(`ALTER TABLE ${table} DROP COLUMN IF EXISTS external_id`);
  }
  for (const table of [...tables.known, ...tables.others]) {
    await knex.raw(`ALTER TABLE ${table} DROP COLUMN IF EXISTS metadata`);
  }
}
