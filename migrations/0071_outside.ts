import type { Knex } from 'knex';

const id = 'text COLLATE "C"';

/**
 * Secrets of the outside, encrypted, each with the id of its key; and what Slack knows: an organization's connection, and
 * whom to invite. The address of somebody who is invited by an account of Slack is found by a worker: until then the
 * invitation has none.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE sealed_secrets (
      organization_id ${id} NOT NULL REFERENCES organizations (id),
      purpose ${id} NOT NULL,
      record_id ${id} NOT NULL,
      key_id ${id} NOT NULL,
      sealed bytea NOT NULL,
      sealed_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, purpose, record_id)
    );

    ALTER TABLE invitations
      ALTER COLUMN email DROP NOT NULL,
      ADD COLUMN slack_user_id ${id},
      ADD COLUMN delivery_status ${id}
        CHECK (delivery_status IN ('queued', 'sending', 'sent', 'already_member', 'not_found', 'failed')),
      ADD CONSTRAINT invitations_name_somebody CHECK (email IS NOT NULL OR slack_user_id IS NOT NULL);
    CREATE UNIQUE INDEX invitations_slack_pending_once ON invitations (organization_id, slack_user_id)
      WHERE status = 'pending' AND email IS NULL;
    CREATE INDEX invitations_of_slack ON invitations (organization_id, slack_user_id) WHERE slack_user_id IS NOT NULL;
    CREATE INDEX invitations_not_told ON invitations (updated_at) WHERE delivery_status = 'failed';

    CREATE TABLE attendance_slack_connections (
      organization_id ${id} PRIMARY KEY REFERENCES organizations (id),
      team text,
      refused_at timestamptz,
      connected_at timestamptz NOT NULL
    );

    CREATE TABLE attendance_slack_invitations (
      organization_id ${id} NOT NULL,
      invitation_id ${id} NOT NULL,
      job_id ${id} NOT NULL,
      department_id ${id},
      PRIMARY KEY (organization_id, invitation_id),
      FOREIGN KEY (organization_id, invitation_id) REFERENCES invitations (organization_id, id) ON DELETE CASCADE,
      FOREIGN KEY (organization_id, department_id) REFERENCES attendance_departments (organization_id, id)
        ON DELETE SET NULL (department_id)
    );
    CREATE INDEX attendance_slack_invitations_of_job
      ON attendance_slack_invitations (organization_id, job_id, invitation_id);
    CREATE INDEX attendance_slack_invitations_by_department
      ON attendance_slack_invitations (organization_id, department_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE attendance_slack_invitations, attendance_slack_connections, sealed_secrets;
    DELETE FROM invitations WHERE email IS NULL;
    ALTER TABLE invitations DROP COLUMN delivery_status, DROP CONSTRAINT invitations_name_somebody,
      DROP COLUMN slack_user_id, ALTER COLUMN email SET NOT NULL;
  `);
}
