import type { Knex } from 'knex';

/**
 * A row of the outbox is due from `created_at` on, which is the clock of the process that asked. Where that clock is ahead,
 * the job would wait for as long as the clock was wrong, and nothing would look late. So a time that is more than a
 * minute ahead of the server's (what the workers' clocks may differ from it) becomes the server's own.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION outbox_asked_by_now() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.created_at := clock_timestamp();
      RETURN NEW;
    END $$;
    CREATE TRIGGER outbox_asked_by_now BEFORE INSERT ON outbox
      FOR EACH ROW WHEN (NEW.created_at > clock_timestamp() + interval '1 minute')
      EXECUTE FUNCTION outbox_asked_by_now();
    -- What processes with such a clock have left behind.
    UPDATE outbox SET created_at = clock_timestamp()
      WHERE handed_over_at IS NULL AND failed_at IS NULL AND due_at IS NULL
        AND created_at > clock_timestamp() + interval '1 minute';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TRIGGER outbox_asked_by_now ON outbox;
    DROP FUNCTION outbox_asked_by_now();
  `);
}
