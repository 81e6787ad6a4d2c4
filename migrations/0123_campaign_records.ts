import type { Knex } from 'knex';

/**
 * Consents of contacts that were there before get their record. Suppressions are searched by their letters, which the database keeps
 * by itself, so that they go with the address: an address has letters of ASCII alone.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    INSERT INTO mail_consent_records (organization_id, id, contact_id, email, email_hash, consent, created_at)
    SELECT organization_id, 'mcons' || substr(id, 6), id, email,
           sha256(convert_to(organization_id || chr(10) || email_key, 'UTF8')), consent, created_at
      FROM mail_contacts WHERE consent IS NOT NULL;

    CREATE FUNCTION mail_email_grams(email text) RETURNS integer[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT COALESCE(array_agg(gram ORDER BY gram), '{}') FROM (
        SELECT ascii(substr(lower(email), at, 1)) AS gram FROM generate_series(1, length(email)) AS at
        UNION
        SELECT (ascii(substr(lower(email), at, 1)) << 16) | ascii(substr(lower(email), at + 1, 1))
          FROM generate_series(1, length(email) - 1) AS at) AS grams
    $$;
    ALTER TABLE suppressions
      ADD COLUMN search_text text GENERATED ALWAYS AS (COALESCE(lower(email), '')) STORED,
      ADD COLUMN search_grams integer[] GENERATED ALWAYS AS (mail_email_grams(email)) STORED;
    CREATE INDEX suppressions_search ON suppressions USING gin (organization_id, search_grams);
    CREATE INDEX suppressions_by_reason ON suppressions (organization_id, reason, id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE suppressions DROP COLUMN search_text, DROP COLUMN search_grams;
    DROP INDEX suppressions_by_reason;
    DROP FUNCTION mail_email_grams(text);
  `);
}
