import type { Knex } from 'knex';

/**
 * How many recipients an organization has mailed, one row for each of its limits (at most two an organization, so
 * nothing is swept). And an index of the keys that are not revoked, by which they are counted and shown.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE mail_allowances (
      organization_id text COLLATE "C" NOT NULL,
      name text COLLATE "C" NOT NULL,
      window_ends_at timestamptz NOT NULL,
      used integer NOT NULL,
      PRIMARY KEY (organization_id, name)
    );
    CREATE INDEX api_keys_living ON api_keys (organization_id, id) WHERE revoked_at IS NULL;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX api_keys_living; DROP TABLE mail_allowances');
}
