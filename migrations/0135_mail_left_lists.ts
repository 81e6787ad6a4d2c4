import type { Knex } from 'knex';

const id = 'text COLLATE "C"';

/**
 * Lists that a person had left before they were removed, of those that campaigns name whose recipients are settled: the membership
 * went with the list, and who left it is not to get what waits.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE mail_left_lists (
      organization_id ${id} NOT NULL,
      contact_id ${id} NOT NULL,
      list_id ${id} NOT NULL,
      left_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, contact_id, list_id),
      FOREIGN KEY (organization_id, contact_id) REFERENCES mail_contacts (organization_id, id) ON DELETE CASCADE
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE mail_left_lists');
}
