import type { Knex } from 'knex';

/** Built and dropped beside running writes, which a transaction around it would not allow. */
export const config = { transaction: false };

const OF_NOW = 'text, text, text, text, text, text, integer, integer, integer, integer, timestamptz';

/**
 * Who has answered is told by the addresses that responses have, whatever the settings were when they came: so the settings may ask
 * for one response of a person later, or go by another field. The admission compares the settings that a response was judged by
 * with those of now, behind its row of the counts, which a change of them waits for; where they differ, the response runs again.
 * What the release before writes and calls stays: the key of the person with each response, its index and the admission by it.
 */
export async function up(knex: Knex): Promise<void> {
  // An index whose building was interrupted is there and serves nothing.
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS forms_emails_of_person');
  await knex.raw(`
    CREATE INDEX CONCURRENTLY forms_emails_of_person ON forms_emails (organization_id, form_id, field_id, email_key)`);
  await knex.raw(`
    CREATE OR REPLACE FUNCTION forms_has_answered(
      of_organization text, of_form text, by_field text, person text, but_for text
    ) RETURNS boolean LANGUAGE sql AS $$
      SELECT EXISTS (SELECT FROM forms_emails AS email
        JOIN forms_responses AS response
          ON response.organization_id = email.organization_id AND response.id = email.response_id
       WHERE email.organization_id = of_organization AND email.form_id = of_form AND email.field_id = by_field
         AND email.email_key = person AND email.response_id <> but_for AND NOT response.is_spam)
    $$;

    CREATE OR REPLACE FUNCTION forms_admit_response(
      of_organization text, of_form text, of_response text, by_field text, person text, invitation text, most integer,
      in_slot integer, responses integer, spam integer, submitted timestamptz
    ) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      form_status text;
      present_field text;
      present_most integer;
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
      IF person IS NOT NULL AND forms_has_answered(of_organization, of_form, by_field, person, of_response) THEN
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
      SELECT form.status, CASE settings.one_per WHEN 'none' THEN '' ELSE settings.one_per_field END,
          settings.max_responses
        INTO form_status, present_field, present_most
        FROM forms_forms AS form
        JOIN forms_settings AS settings
          ON settings.organization_id = form.organization_id AND settings.form_id = form.id
       WHERE form.organization_id = of_organization AND form.id = of_form;
      IF form_status = 'archived' THEN
        PERFORM forms_refuse_response('forms_responses_form_closed');
      ELSIF form_status IS DISTINCT FROM 'published' THEN
        PERFORM forms_refuse_response('forms_responses_form_draft');
      END IF;
      IF by_field <> present_field OR responses > 0 AND most IS DISTINCT FROM present_most THEN
        RAISE EXCEPTION 'The settings of the form have changed' USING ERRCODE = 'serialization_failure';
      END IF;
    END $$;
  `);
}

/** Responses that this release stored get the key of their person by the settings of now. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP FUNCTION IF EXISTS forms_admit_response(${OF_NOW});
    DROP FUNCTION IF EXISTS forms_has_answered(text, text, text, text, text);
    UPDATE forms_responses AS response SET person_key = email.email_key
      FROM forms_emails AS email
      JOIN forms_settings AS settings
        ON settings.organization_id = email.organization_id AND settings.form_id = email.form_id
     WHERE response.organization_id = email.organization_id AND response.id = email.response_id
       AND settings.one_per <> 'none' AND settings.one_per_field = email.field_id AND response.person_key IS NULL;
  `);
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS forms_emails_of_person');
}
