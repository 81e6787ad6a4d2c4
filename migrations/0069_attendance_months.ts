import type { Knex } from 'knex';

const id = 'text COLLATE "C"';

/**
 * Overtime of months that the system before recorded; and what months are read by: the days with overtime or work on legal
 * holidays, whose few columns stand in the index, and the sessions without end.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE attendance_opening_months (
      organization_id ${id} NOT NULL,
      member_id ${id} NOT NULL,
      month ${id} NOT NULL CHECK (month ~ '^[12][0-9]{3}-(0[1-9]|1[0-2])$'),
      statutory_overtime_minutes integer NOT NULL CHECK (statutory_overtime_minutes >= 0),
      legal_holiday_minutes integer NOT NULL CHECK (legal_holiday_minutes >= 0),
      PRIMARY KEY (organization_id, member_id, month),
      FOREIGN KEY (organization_id, member_id) REFERENCES attendance_members (organization_id, id)
    );
    CREATE INDEX attendance_records_overtime ON attendance_records (organization_id, member_id, work_date)
      INCLUDE (statutory_overtime_minutes, legal_holiday_minutes)
      WHERE statutory_overtime_minutes > 0 OR legal_holiday_minutes > 0;
    CREATE INDEX attendance_sessions_open ON attendance_sessions (organization_id, member_id, clock_in_at)
      WHERE clock_out_at IS NULL;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP INDEX attendance_sessions_open, attendance_records_overtime;
    DROP TABLE attendance_opening_months;
  `);
}
