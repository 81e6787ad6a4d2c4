import type { Knex } from 'knex';

const id = 'text COLLATE "C"';

/** What every request has, in a table of its kind. */
const requests = (kind: string, own: string) => `
  CREATE TABLE attendance_${kind} (
    organization_id ${id} NOT NULL,
    id ${id} NOT NULL,
    member_id ${id} NOT NULL,
    work_date date NOT NULL,
    ${own},
    reason text NOT NULL,
    status ${id} NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'cancelled')),
    approver_id ${id},
    decided_at timestamptz,
    decision_comment text,
    created_by ${id},
    external_id ${id},
    metadata jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, member_id) REFERENCES attendance_members (organization_id, id)
  );
  CREATE INDEX attendance_${kind}_of_member ON attendance_${kind} (organization_id, member_id, id);
  CREATE INDEX attendance_${kind}_of_day ON attendance_${kind} (organization_id, member_id, work_date);
  CREATE INDEX attendance_${kind}_pending ON attendance_${kind} (organization_id, id) WHERE status = 'pending';
  CREATE INDEX attendance_${kind}_by_date ON attendance_${kind} (organization_id, work_date, id);
  CREATE INDEX attendance_${kind}_by_change ON attendance_${kind} (organization_id, updated_at, id);
  CREATE UNIQUE INDEX attendance_${kind}_external_id_once
    ON attendance_${kind} (organization_id, external_id) WHERE external_id IS NOT NULL;
`;

/**
 * Corrections keep the sessions of their day as they were and as they should be, with the version of the day that both are
 * about. Overtime requests keep the time that is planned; what was worked in it is computed when it is read.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    requests(
      'corrections',
      `before jsonb NOT NULL,
    sessions jsonb NOT NULL,
    base_version integer NOT NULL`,
    ) +
      requests(
        'overtime_requests',
        `kind ${id} NOT NULL CHECK (kind IN ('before', 'after', 'holiday')),
    planned_start_at timestamptz NOT NULL,
    planned_end_at timestamptz NOT NULL,
    CHECK (planned_start_at < planned_end_at)`,
      ),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE attendance_overtime_requests, attendance_corrections');
}
