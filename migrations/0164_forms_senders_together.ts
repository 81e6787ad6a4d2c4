import type { Knex } from 'knex';

/**
 * What addresses submit is counted by the admission, for all that come together. The names of its locks are those that the release before
 * takes for one address at a time, so the two count exactly beside each other. Locks: the addresses, in the order of their keys. It is
 * volatile: what was committed while it waited is counted. Rows that are being admitted may have been written before, or not yet.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION forms_admit_senders(
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
            SELECT FROM forms_responses AS stored
             WHERE stored.organization_id = of_organization AND stored.form_id = of_form
               AND stored.address_hash = sender.address AND stored.submitted_at > since
               AND stored.id <> ALL (sender.coming)
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
  await knex.raw('DROP FUNCTION forms_admit_senders(text, text, text[], text[], integer[], timestamptz)');
}
