import type { Knex } from 'knex';

const id = 'text COLLATE "C"';
const ORGANIZATION = `organization_id ${id} NOT NULL`;

/**
 * What was said about bookings, sessions and proposals in mails, in the order in which it is to be heard: the mails of one
 * record to one recipient leave one after the other. Reminders with the time that they are due, and the calendars that
 * people follow elsewhere, whose tokens stand in `links`.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE scheduler_mails (
      ${ORGANIZATION},
      mail_id ${id} NOT NULL,
      record_id ${id} NOT NULL,
      recipient ${id} NOT NULL,
      position bigint GENERATED ALWAYS AS IDENTITY,
      told jsonb NOT NULL,
      is_waiting boolean NOT NULL,
      waits_until timestamptz,
      is_ended boolean NOT NULL DEFAULT false,
      PRIMARY KEY (organization_id, mail_id),
      FOREIGN KEY (organization_id, mail_id) REFERENCES mails (organization_id, id)
    );
    CREATE INDEX scheduler_mails_of_record ON scheduler_mails (organization_id, record_id, recipient, position);
    CREATE INDEX scheduler_mails_held ON scheduler_mails (waits_until) WHERE is_waiting AND waits_until IS NOT NULL;

    CREATE TABLE scheduler_reminders (
      ${ORGANIZATION},
      record_id ${id} NOT NULL,
      revision integer NOT NULL,
      minutes_before integer NOT NULL,
      recipient ${id} NOT NULL,
      due_at timestamptz NOT NULL,
      mail_id ${id},
      PRIMARY KEY (organization_id, record_id, revision, minutes_before, recipient),
      FOREIGN KEY (organization_id, mail_id) REFERENCES mails (organization_id, id)
    );
    CREATE INDEX scheduler_reminders_due ON scheduler_reminders (due_at, organization_id, record_id)
      WHERE mail_id IS NULL;
    CREATE INDEX scheduler_reminders_by_mail ON scheduler_reminders (organization_id, mail_id)
      WHERE mail_id IS NOT NULL;

    CREATE TABLE scheduler_feeds (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      user_id ${id} NOT NULL,
      created_by ${id},
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id)
    );
    CREATE INDEX scheduler_feeds_of_user ON scheduler_feeds (organization_id, user_id, id);
    CREATE INDEX scheduler_feeds_by_change ON scheduler_feeds (organization_id, updated_at, id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE scheduler_feeds, scheduler_reminders, scheduler_mails');
}
