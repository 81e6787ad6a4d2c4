import type { Knex } from 'knex';
import { activities, deals, pipelines } from './0004_crm/deals.ts';
import { companies, contacts } from './0004_crm/parties.ts';
import { fieldsAndAliases, tags } from './0004_crm/tags.ts';

/**
 * Companies, contacts, deals in pipelines, activities, tags. `search_text` and `search_grams` are made in the
 * process (shared/platform/search): the grams are the numbers of all letters and pairs of letters, so that names of one and
 * two letters are found by the index too. Its list of pending entries is kept short: a search reads all of it.
 * A reference that is lost clears its own column only, never `organization_id`.
 * `organization_id` alone refers to nothing: organizations are never removed, and a foreign key would make every
 * insert of an organization lock that one row.
 * What happened to a record is read from `audit_logs`; there is no second history.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(companies);
  await knex.raw(contacts);
  await knex.raw(pipelines);
  await knex.raw(deals);
  await knex.raw(activities);
  await knex.raw(tags);
  await knex.raw(fieldsAndAliases);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE crm_aliases, crm_custom_fields, crm_tag_assignments, crm_tags, crm_activities, crm_deal_contacts,
      crm_deals, crm_stages, crm_pipelines, crm_contacts, crm_companies;
  `);
}
