import type { Knex } from 'knex';

const id = 'text COLLATE "C"';
const ORGANIZATION = `organization_id ${id} NOT NULL`;
const MEMBER = `member_id ${id} NOT NULL`;
const OF_MEMBER =
  'FOREIGN KEY (organization_id, member_id) REFERENCES attendance_members (organization_id, id)';
const count = (name: string) => `${name} integer NOT NULL DEFAULT 0`;

const MINUTES = [
  'presence_minutes',
  'ignored_minutes',
  'break_minutes',
  'worked_minutes',
  'scheduled_minutes',
  'non_statutory_overtime_minutes',
  'prescribed_holiday_minutes',
  'statutory_overtime_minutes',
  'daily_overtime_minutes',
  'weekly_overtime_minutes',
  'legal_holiday_minutes',
  'night_minutes',
  'night_statutory_overtime_minutes',
  'night_legal_holiday_minutes',
  'late_minutes',
  'early_leave_minutes',
  'absence_minutes',
  'unworked_gap_minutes',
  'schedule_minutes',
  'required_minutes',
  'week_minutes',
  'automatic_break_minutes',
  'unapproved_overtime_minutes',
];

/**
 * What people punch, the sessions that punches and revisions make, and the figures of each day. A session that runs
 * occupies the time to its last instant; so the database refuses sessions of a member that overlap.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE attendance_sessions (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      ${MEMBER},
      work_date date NOT NULL,
      clock_in_at timestamptz NOT NULL,
      clock_out_at timestamptz,
      occupied_until timestamptz NOT NULL,
      breaks jsonb NOT NULL DEFAULT '[]',
      PRIMARY KEY (organization_id, id),
      ${OF_MEMBER},
      CHECK (clock_out_at >= clock_in_at),
      CONSTRAINT attendance_sessions_do_not_overlap EXCLUDE USING gist (
        organization_id WITH =, member_id WITH =, tstzrange(clock_in_at, occupied_until) WITH &&)
    );
    CREATE INDEX attendance_sessions_of_day ON attendance_sessions (organization_id, member_id, work_date);
    CREATE INDEX attendance_sessions_newest ON attendance_sessions (organization_id, member_id, clock_in_at);

    CREATE TABLE attendance_punches (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      ${MEMBER},
      session_id ${id} NOT NULL,
      type ${id} NOT NULL CHECK (type IN ('clock_in', 'break_start', 'break_end', 'clock_out')),
      occurred_at timestamptz NOT NULL,
      original_occurred_at timestamptz NOT NULL,
      work_date date NOT NULL,
      source ${id} NOT NULL CHECK (source IN ('web', 'api', 'system')),
      note text,
      location jsonb,
      ip text,
      created_by ${id},
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      ${OF_MEMBER}
    );
    CREATE INDEX attendance_punches_of_day ON attendance_punches (organization_id, member_id, work_date, occurred_at);
    CREATE INDEX attendance_punches_latest ON attendance_punches (organization_id, member_id, type, occurred_at);

    CREATE TRIGGER attendance_punches_insert_only BEFORE UPDATE OR DELETE ON attendance_punches
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

    CREATE TABLE attendance_records (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      ${MEMBER},
      work_date date NOT NULL,
      day_type ${id} NOT NULL CHECK (day_type IN ('workday', 'prescribed_holiday', 'legal_holiday')),
      work_system ${id} NOT NULL,
      is_employed boolean NOT NULL,
      schedule jsonb,
      leave jsonb NOT NULL,
      ${MINUTES.map(count).join(',\n      ')},
      has_break_shortage boolean NOT NULL,
      is_absence boolean NOT NULL,
      has_presence boolean NOT NULL,
      version integer NOT NULL,
      calc_version integer NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      ${OF_MEMBER}
    );
    CREATE UNIQUE INDEX attendance_records_day_once ON attendance_records (organization_id, member_id, work_date);
    CREATE INDEX attendance_records_by_date ON attendance_records (organization_id, work_date, member_id);

    CREATE TABLE attendance_day_revisions (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      ${MEMBER},
      work_date date NOT NULL,
      version integer NOT NULL,
      source ${id} NOT NULL CHECK (source IN ('put', 'correction', 'import', 'revert')),
      reason text,
      correction_id ${id},
      sessions_before jsonb NOT NULL,
      sessions jsonb NOT NULL,
      actor jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      ${OF_MEMBER}
    );
    CREATE INDEX attendance_day_revisions_of_day
      ON attendance_day_revisions (organization_id, member_id, work_date, version);

    CREATE TABLE attendance_recalculations (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      job_id ${id} NOT NULL,
      status ${id} NOT NULL CHECK (status IN ('queued', 'running', 'stopped')),
      member_ids text[],
      from_date date,
      done_through ${id} NOT NULL DEFAULT '',
      PRIMARY KEY (organization_id, id)
    );
    CREATE INDEX attendance_recalculations_of_job ON attendance_recalculations (organization_id, job_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE attendance_recalculations, attendance_day_revisions, attendance_records, attendance_punches,
      attendance_sessions;
  `);
}
