import type { Knex } from 'knex';

/** How the function read the key that a row has: by a statement that names its column, planned anew for each row. */
const PLANNED_ANEW = "EXECUTE format('SELECT ($1).%I', TG_ARGV[1]) INTO given USING NEW;";

/** The two keys that a merge leaves to the record that stays; a branch is looked at where it is taken. */
const READ = `
    IF TG_ARGV[1] = 'external_id' THEN
      given := NEW.external_id;
    ELSE
      given := NEW.corporate_number;
    END IF;`;

/** Whether another record was given a key by a merge is asked of each row that an import makes: without a plan for each. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(functionOf(READ));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(functionOf(PLANNED_ANEW));
}

function functionOf(reading: string): string {
  return `
  CREATE OR REPLACE FUNCTION refuse_key_of_merged() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    given text;
    holder text;
  BEGIN
    ${reading}
    SELECT record_id INTO holder FROM key_aliases
     WHERE organization_id = NEW.organization_id AND prefix = TG_ARGV[0] AND key = TG_ARGV[1] AND value = given;
    IF holder = NEW.id THEN
      DELETE FROM key_aliases
       WHERE organization_id = NEW.organization_id AND prefix = TG_ARGV[0] AND key = TG_ARGV[1] AND value = given;
    ELSIF holder IS NOT NULL THEN
      RAISE unique_violation USING
        CONSTRAINT = TG_ARGV[2], TABLE = TG_TABLE_NAME, MESSAGE = 'A merged record left this key to another';
    END IF;
    RETURN NULL;
  END $$;`;
}
