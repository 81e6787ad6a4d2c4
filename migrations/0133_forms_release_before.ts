import type { Knex } from 'knex';

/** The index is built beside running writes, which a transaction around it would not allow. */
export const config = { transaction: false };

/**
 * The release before stores responses beside this one: with the key of their person, and by the admission that gets no field. That
 * admission goes by the addresses too, so that either finds whom the other has stored; the key alone tells it who edits, since the
 * release before does not say whether the address is a new one. Where 0119 has dropped all three, as it did at first, they are made
 * again; its way back fills the keys.
 */
export async function up(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('forms_responses', 'person_key'))) {
    await knex.raw(`
      SET LOCAL lock_timeout = '10s';
      ALTER TABLE forms_responses ADD COLUMN person_key text COLLATE "C";
    `);
  }
  const { rows } = await knex.raw(
    "SELECT FROM pg_index WHERE indexrelid = to_regclass('forms_responses_of_person') AND indisvalid",
  );
  if (rows.length === 0) {
    // An index whose building was interrupted is there and serves nothing.
    await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS forms_responses_of_person');
    await knex.raw(`
      CREATE INDEX CONCURRENTLY forms_responses_of_person ON forms_responses (organization_id, form_id, person_key)
        WHERE person_key IS NOT NULL AND NOT is_spam`);
  }
  await knex.raw(`
    CREATE OR REPLACE FUNCTION forms_admit_response(
      of_organization text, of_form text, of_response text, person text, invitation text, most integer,
      in_slot integer, responses integer, spam integer, submitted timestamptz
    ) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      by_field text;
      address text;
    BEGIN
      IF person IS NOT NULL AND responses > 0 THEN
        SELECT CASE one_per WHEN 'none' THEN '' ELSE one_per_field END INTO by_field FROM forms_settings
         WHERE organization_id = of_organization AND form_id = of_form;
        SELECT email_key INTO address FROM forms_emails
         WHERE organization_id = of_organization AND response_id = of_response AND field_id = by_field;
      ELSIF person IS NOT NULL THEN
        PERFORM FROM forms_forms WHERE organization_id = of_organization AND id = of_form FOR NO KEY UPDATE;
        IF EXISTS (SELECT FROM forms_responses
          WHERE organization_id = of_organization AND form_id = of_form AND person_key = person AND NOT is_spam
            AND id <> of_response)
        THEN
          PERFORM forms_refuse_response('forms_responses_once_a_person');
        END IF;
      END IF;
      PERFORM forms_admit_response(
        of_organization, of_form, of_response, by_field, address, invitation, most, in_slot, responses, spam, submitted
      );
    END $$;
  `);
}

/** The admission of before, which 0119 leaves as it is; the rest is there as 0119 leaves it. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE OR REPLACE FUNCTION forms_admit_response(
      of_organization text, of_form text, of_response text, person text, invitation text, most integer,
      in_slot integer, responses integer, spam integer, submitted timestamptz
    ) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      form_status text;
    BEGIN
      IF person IS NOT NULL OR most IS NOT NULL THEN
        PERFORM FROM forms_forms WHERE organization_id = of_organization AND id = of_form FOR NO KEY UPDATE;
      END IF;
      IF invitation IS NOT NULL THEN
        PERFORM FROM forms_invitations
          WHERE organization_id = of_organization AND id = invitation AND revoked_at IS NULL FOR NO KEY UPDATE;
        IF NOT FOUND THEN
          PERFORM forms_refuse_response('forms_responses_invitation_ended');
        END IF;
        IF EXISTS (SELECT FROM forms_responses
          WHERE organization_id = of_organization AND invitation_id = invitation AND NOT is_spam AND id <> of_response)
        THEN
          PERFORM forms_refuse_response('forms_responses_once_a_person');
        END IF;
      END IF;
      IF person IS NOT NULL AND EXISTS (SELECT FROM forms_responses
        WHERE organization_id = of_organization AND form_id = of_form AND person_key = person AND NOT is_spam
          AND id <> of_response)
      THEN
        PERFORM forms_refuse_response('forms_responses_once_a_person');
      END IF;
      IF most IS NOT NULL AND responses + coalesce((SELECT sum(response_count) FROM forms_counts
        WHERE organization_id = of_organization AND form_id = of_form), 0) > most
      THEN
        PERFORM forms_refuse_response('forms_responses_quota');
      END IF;
      INSERT INTO forms_counts AS known (organization_id, form_id, slot, response_count, spam_count, last_response_at)
        VALUES (of_organization, of_form, in_slot, responses, spam, submitted)
        ON CONFLICT (organization_id, form_id, slot) DO UPDATE
          SET response_count = known.response_count + excluded.response_count,
              spam_count = known.spam_count + excluded.spam_count,
              last_response_at = greatest(known.last_response_at, excluded.last_response_at);
      SELECT status INTO form_status FROM forms_forms WHERE organization_id = of_organization AND id = of_form;
      IF form_status = 'archived' THEN
        PERFORM forms_refuse_response('forms_responses_form_closed');
      ELSIF form_status IS DISTINCT FROM 'published' THEN
        PERFORM forms_refuse_response('forms_responses_form_draft');
      END IF;
    END $$;
  `);
}
