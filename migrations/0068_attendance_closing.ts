import type { Knex } from 'knex';

const id = 'text COLLATE "C"';
const ORGANIZATION = `organization_id ${id} NOT NULL`;
const MEMBER = `member_id ${id} NOT NULL`;
const OF_MEMBER =
  'FOREIGN KEY (organization_id, member_id) REFERENCES attendance_members (organization_id, id)';

/**
 * Months that members submit and others confirm. The days of a closed period are kept as they were, a row a day, since
 * punches of the next week read a few of them; each confirmation keeps a revision for good.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE attendance_submissions (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      ${MEMBER},
      month ${id} NOT NULL CHECK (month ~ '^[0-9]{4}-[0-9]{2}$'),
      period_start date NOT NULL,
      period_end date NOT NULL,
      status ${id} NOT NULL CHECK (status IN ('submitted', 'returned', 'confirmed', 'reopened')),
      revision integer NOT NULL,
      frozen_revision integer,
      comment text,
      submitted_by ${id},
      submitted_at timestamptz NOT NULL,
      confirmed_by ${id},
      confirmed_at timestamptz,
      totals jsonb NOT NULL,
      limits jsonb,
      external_id ${id},
      metadata jsonb NOT NULL DEFAULT '{}',
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      ${OF_MEMBER},
      CHECK (period_start <= period_end),
      CHECK ((status IN ('submitted', 'confirmed')) = (frozen_revision IS NOT NULL))
    );
    CREATE UNIQUE INDEX attendance_submissions_month_once
      ON attendance_submissions (organization_id, member_id, month);
    CREATE UNIQUE INDEX attendance_submissions_external_id_once
      ON attendance_submissions (organization_id, external_id) WHERE external_id IS NOT NULL;
    CREATE INDEX attendance_submissions_closed
      ON attendance_submissions (organization_id, member_id, period_end) WHERE frozen_revision IS NOT NULL;
    CREATE INDEX attendance_submissions_last_closed
      ON attendance_submissions (organization_id, period_end) WHERE frozen_revision IS NOT NULL;
    CREATE INDEX attendance_submissions_waiting
      ON attendance_submissions (organization_id, id) WHERE status = 'submitted';
    CREATE INDEX attendance_submissions_by_month ON attendance_submissions (organization_id, month, id);
    CREATE INDEX attendance_submissions_by_change ON attendance_submissions (organization_id, updated_at, id);

    CREATE TABLE attendance_period_revisions (
      ${ORGANIZATION},
      submission_id ${id} NOT NULL,
      revision integer NOT NULL,
      period_start date NOT NULL,
      period_end date NOT NULL,
      totals jsonb NOT NULL,
      limits jsonb,
      settings jsonb NOT NULL,
      frozen_at timestamptz NOT NULL,
      confirmed_by ${id},
      confirmed_at timestamptz,
      PRIMARY KEY (organization_id, submission_id, revision),
      FOREIGN KEY (organization_id, submission_id) REFERENCES attendance_submissions (organization_id, id)
    );

    CREATE TABLE attendance_frozen_days (
      ${ORGANIZATION},
      submission_id ${id} NOT NULL,
      revision integer NOT NULL,
      work_date date NOT NULL,
      day jsonb NOT NULL,
      alerts jsonb NOT NULL,
      segments jsonb NOT NULL,
      PRIMARY KEY (organization_id, submission_id, revision, work_date),
      FOREIGN KEY (organization_id, submission_id, revision)
        REFERENCES attendance_period_revisions (organization_id, submission_id, revision)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE attendance_frozen_days, attendance_period_revisions, attendance_submissions;');
}
