import type { Knex } from 'knex';

/**
 * What is written once and answered whole stays the text that it came as. To take a document of ten lines apart into
 * `jsonb`, once for its event and once for its audit entry, took the database a third of the time of making it, and
 * gave its members back in an order of their own.
 */
const columns = {
  events: ['data', 'previous_attributes'],
  audit_logs: ['changes'],
  idempotency_keys: ['headers', 'body'],
};

export async function up(knex: Knex): Promise<void> {
  await changeTo(knex, 'json');
}

export async function down(knex: Knex): Promise<void> {
  await changeTo(knex, 'jsonb');
}

async function changeTo(knex: Knex, type: 'json' | 'jsonb'): Promise<void> {
  for (const [table, names] of Object.entries(columns)) {
    const changes = names.map((name) => `ALTER COLUMN ${name} TYPE ${type} USING ${name}::${type}`);
    await knex.raw(`ALTER TABLE ${table} ${changes.join(', ')}`);
  }
}
