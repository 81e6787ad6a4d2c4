import type { Knex } from 'knex';

/**
 * Who made or approved a document is a member of its organization already: the credential says so, and members are never
 * deleted. The foreign keys locked that one member's row for each new document, together with everybody who made one
 * at the same time.
 */
const columns = ['created_by', 'approved_by'];

const nameOf = (column: string) => `invoicing_documents_organization_id_${column}_fkey`;

export async function up(knex: Knex): Promise<void> {
  const changes = columns.map((column) => `DROP CONSTRAINT ${nameOf(column)}`);
  await knex.raw(`ALTER TABLE invoicing_documents ${changes.join(', ')}`);
}

export async function down(knex: Knex): Promise<void> {
  const changes = columns.map(
    (column) => `ADD CONSTRAINT ${nameOf(column)}
      FOREIGN KEY (organization_id, ${column}) REFERENCES members (organization_id, user_id)`,
  );
  await knex.raw(`ALTER TABLE invoicing_documents ${changes.join(', ')}`);
}
