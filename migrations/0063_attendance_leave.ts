import type { Knex } from 'knex';

const id = 'text COLLATE "C"';
const ORGANIZATION = `organization_id ${id} NOT NULL`;
const OWN_KEYS = `external_id ${id}, metadata jsonb NOT NULL DEFAULT '{}'`;
const TIMES = 'created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL';

/**
 * Leave: what was granted, what is asked for, and what the days of confirmed periods took, which stays as it was then.
 * What other requests take is computed whenever it is read, since it follows from working days that may change.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE attendance_leave_grants (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      member_id ${id} NOT NULL,
      type ${id} NOT NULL,
      granted_on date NOT NULL,
      expires_on date,
      days numeric(5, 1) NOT NULL CHECK (days >= 0 AND days * 2 = trunc(days * 2)),
      reason ${id} NOT NULL CHECK (reason IN ('statutory', 'manual')),
      note text,
      basis jsonb,
      created_by ${id},
      ${OWN_KEYS},
      ${TIMES},
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, member_id) REFERENCES attendance_members (organization_id, id),
      CHECK (expires_on IS NULL OR expires_on >= granted_on),
      CHECK (expires_on IS NOT NULL OR days = 0)
    );
    CREATE INDEX attendance_leave_grants_of_member
      ON attendance_leave_grants (organization_id, member_id, granted_on, id);
    CREATE UNIQUE INDEX attendance_leave_grants_statutory_once
      ON attendance_leave_grants (organization_id, member_id, granted_on) WHERE reason = 'statutory';
    CREATE UNIQUE INDEX attendance_leave_grants_external_id_once
      ON attendance_leave_grants (organization_id, external_id) WHERE external_id IS NOT NULL;

    CREATE TABLE attendance_leave_requests (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      member_id ${id} NOT NULL,
      type ${id} NOT NULL,
      unit ${id} NOT NULL CHECK (unit IN ('full', 'half_am', 'half_pm', 'hourly')),
      start_date date NOT NULL,
      end_date date NOT NULL,
      start_unit ${id} CHECK (start_unit IN ('full', 'half_pm')),
      end_unit ${id} CHECK (end_unit IN ('full', 'half_am')),
      start_time ${id},
      hours integer CHECK (hours > 0),
      reason text,
      status ${id} NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'cancelled')),
      approver_id ${id},
      decided_at timestamptz,
      decision_comment text,
      created_by ${id},
      ${OWN_KEYS},
      ${TIMES},
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, member_id) REFERENCES attendance_members (organization_id, id),
      CHECK (start_date <= end_date),
      CHECK (unit = 'full' OR start_date = end_date),
      CHECK ((unit = 'hourly') = (hours IS NOT NULL) AND (unit = 'hourly') = (start_time IS NOT NULL))
    );
    CREATE INDEX attendance_leave_requests_of_member
      ON attendance_leave_requests (organization_id, member_id, id);
    CREATE INDEX attendance_leave_requests_live
      ON attendance_leave_requests (organization_id, member_id, start_date) WHERE status IN ('pending', 'approved');
    CREATE INDEX attendance_leave_requests_pending
      ON attendance_leave_requests (organization_id, id) WHERE status = 'pending';
    CREATE INDEX attendance_leave_requests_by_date
      ON attendance_leave_requests (organization_id, start_date, id);
    CREATE INDEX attendance_leave_requests_by_change
      ON attendance_leave_requests (organization_id, updated_at, id);
    CREATE UNIQUE INDEX attendance_leave_requests_external_id_once
      ON attendance_leave_requests (organization_id, external_id) WHERE external_id IS NOT NULL;

    CREATE TABLE attendance_leave_days (
      ${ORGANIZATION},
      request_id ${id} NOT NULL,
      date date NOT NULL,
      days numeric(2, 1) NOT NULL,
      hours integer NOT NULL,
      uses jsonb NOT NULL,
      PRIMARY KEY (organization_id, request_id, date),
      FOREIGN KEY (organization_id, request_id) REFERENCES attendance_leave_requests (organization_id, id)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE attendance_leave_days, attendance_leave_requests, attendance_leave_grants;
  `);
}
