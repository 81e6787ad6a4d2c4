import type { Knex } from 'knex';

/** Built and dropped beside running writes, which a transaction around it would not allow. */
export const config = { transaction: false };

const TABLES = [
  ['forms_responses', 'submitted_at'],
  ['forms_files', 'created_at'],
  ['forms_partials', 'created_at'],
] as const;

/**
 * What an address has sent is found by one index, whatever the server knows of the table: its key begins with the hash, which no other one
 * has, and the form and its organization are asked for behind it. By form, hash and time any index of the form, and that of hashes by
 * their age, looked as good where nobody had sent anything when the rows were counted last, and read all that guests had sent of late.
 * That of hashes by their age is for those alone who ask for `address_hash > ''`: an equal hash does not say so.
 * `forms_admit_addresses` does what `forms_admit_senders` did, which the release before calls.
 */
export async function up(knex: Knex): Promise<void> {
  for (const [table, at] of TABLES) {
    // One whose building was interrupted is there and serves nothing.
    await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${table}_by_sender`);
    await knex.raw(`
      CREATE INDEX CONCURRENTLY ${table}_by_sender ON ${table} (address_hash, ${at}) WHERE address_hash IS NOT NULL`);
    await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${table}_hashed`);
    await knex.raw(`CREATE INDEX CONCURRENTLY ${table}_hashed ON ${table} (${at}) WHERE address_hash > ''`);
    await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${table}_of_address`);
    await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${table}_with_address`);
  }
  await knex.raw(`
    CREATE OR REPLACE FUNCTION forms_admit_addresses(
      of_organization text, of_form text, responses text[], addresses text[], limits integer[], since timestamptz
    ) RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock(key) FROM (
        SELECT DISTINCT hashtextextended('forms submission ' || of_organization || ' ' || of_form || ' ' || address, 0) AS key
          FROM unnest(addresses) AS sent (address)
         ORDER BY key
      ) AS sorted;
      IF EXISTS (
        SELECT FROM (
          SELECT address, array_agg(response) AS coming, min(most) AS most
            FROM unnest(responses, addresses, limits) AS sent (response, address, most)
           GROUP BY address
        ) AS sender
        WHERE cardinality(sender.coming) + (
          SELECT count(*) FROM (
            SELECT FROM (
              SELECT organization_id, form_id, id FROM forms_responses
               WHERE address_hash = sender.address AND submitted_at > since
              OFFSET 0) AS stored
             WHERE organization_id = of_organization AND form_id = of_form AND id <> ALL (sender.coming)
             LIMIT sender.most) AS counted
        ) > sender.most
      ) THEN
        PERFORM forms_refuse_response('forms_responses_per_address');
      END IF;
      RETURN true;
    END $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'DROP FUNCTION IF EXISTS forms_admit_addresses(text, text, text[], text[], integer[], timestamptz)',
  );
  for (const [table, at] of TABLES) {
    await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${table}_of_address`);
    await knex.raw(`
      CREATE INDEX CONCURRENTLY ${table}_of_address ON ${table} (organization_id, form_id, address_hash, ${at})
        WHERE address_hash IS NOT NULL`);
    await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${table}_with_address`);
    await knex.raw(`
      CREATE INDEX CONCURRENTLY ${table}_with_address ON ${table} (${at}) WHERE address_hash IS NOT NULL`);
    await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${table}_by_sender`);
    await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${table}_hashed`);
  }
}
