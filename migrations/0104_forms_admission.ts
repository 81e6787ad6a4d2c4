import type { Knex } from 'knex';

/**
 * What is decided when a response commits. The receipt of a response is a link, as those of all guests. `forms_admit_response`
 * is volatile, so each of its statements sees what was committed while it waited: it refuses by the name of a constraint, and
 * counts the response in one of the 16 rows of its form. Who ends a form locks these rows, so either sees the other.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE forms_responses DROP COLUMN receipt_hash;

    CREATE FUNCTION forms_refuse_response(reason text) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'The response is refused: %', reason USING ERRCODE = 'check_violation', CONSTRAINT = reason;
    END $$;

    CREATE FUNCTION forms_admit_response(
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

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP FUNCTION forms_admit_response(text, text, text, text, text, integer, integer, integer, integer, timestamptz);
    DROP FUNCTION forms_refuse_response(text);
    ALTER TABLE forms_responses ADD COLUMN receipt_hash text COLLATE "C";
    CREATE UNIQUE INDEX forms_responses_by_receipt ON forms_responses (receipt_hash, organization_id)
      WHERE receipt_hash IS NOT NULL;
  `);
}
