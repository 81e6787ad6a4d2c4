import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import type { Continues } from '../../platform/jobs/orphans.ts';
import { saveMember } from '../members/operations.ts';
import { type MemberRow, memberColumns } from '../members/row.ts';
import { inviteBySlackJob } from './jobs.ts';
import type { Told } from './message.ts';

/** An invitation of a job, as the worker reads it before it asks Slack. */
export type Waiting = {
  invitation_id: string;
  department_id: string | null;
  email: string | null;
  slack_user_id: string | null;
};

/** The first invitation of a job that waits to be sent; null when none does. */
export async function nextWaiting(reader: Reader, job_id: string): Promise<Waiting | null> {
  const [row] = await reader.connection.query<Waiting>(
    `SELECT own.invitation_id, own.department_id, invitation.email, invitation.slack_user_id
       FROM attendance_slack_invitations AS own
       JOIN invitations AS invitation
         ON invitation.organization_id = own.organization_id AND invitation.id = own.invitation_id
      WHERE own.organization_id = $1 AND own.job_id = $2 AND invitation.delivery_status = 'queued'
      ORDER BY own.invitation_id LIMIT 1`,
    [reader.organization_id, job_id],
  );
  return row ?? null;
}

/** How many invitations of a job have ended in which way. */
export async function countDeliveries(reader: Reader, job_id: string): Promise<Record<string, number>> {
  const rows = await reader.connection.query<{ delivery_status: string; count: number }>(
    `SELECT invitation.delivery_status, count(*)::int AS count FROM attendance_slack_invitations AS own
       JOIN invitations AS invitation
         ON invitation.organization_id = own.organization_id AND invitation.id = own.invitation_id
      WHERE own.organization_id = $1 AND own.job_id = $2 GROUP BY invitation.delivery_status`,
    [reader.organization_id, job_id],
  );
  return Object.fromEntries(rows.map(({ delivery_status, count }) => [delivery_status, count]));
}

/** The IDs of the invitations of a job: at most 100. */
export async function invitationsOf(reader: Reader, job_id: string): Promise<string[]> {
  const rows = await reader.connection.query<{ invitation_id: string }>(
    'SELECT invitation_id FROM attendance_slack_invitations WHERE organization_id = $1 AND job_id = $2',
    [reader.organization_id, job_id],
  );
  return rows.map(({ invitation_id }) => invitation_id);
}

/** What the message of an invitation says. */
export async function toldInSlack(reader: Reader, invitation_id: string): Promise<Told> {
  const [told] = await reader.connection.query<Told>(
    `SELECT organization.name AS organization, inviter.name AS invited_by, invitation.email, inviter.locale
       FROM invitations AS invitation
       JOIN organizations AS organization ON organization.id = invitation.organization_id
       JOIN users AS inviter ON inviter.id = invitation.invited_by
      WHERE invitation.organization_id = $1 AND invitation.id = $2`,
    [reader.organization_id, invitation_id],
  );
  return told!;
}

/** Gives the member of an invited address its account of Slack and the department, where there is none yet. */
export async function prepareMember(
  work: Work,
  email: string,
  { slack_user_id, department_id }: Pick<Waiting, 'slack_user_id' | 'department_id'>,
): Promise<void> {
  await work.flush();
  const [row] = await work.connection.query<MemberRow>(
    `SELECT ${memberColumns.join(', ')} FROM attendance_members
      WHERE organization_id = $1 AND email = $2 FOR NO KEY UPDATE`,
    [work.organization_id, email],
  );
  if (!row) return;
  const changed = {
    ...row,
    slack_user_id: row.slack_user_id ?? slack_user_id,
    department_id: row.department_id ?? department_id,
  };
  if (changed.slack_user_id === row.slack_user_id && changed.department_id === row.department_id) return;
  saveMember(work, row, changed);
}

/** Asks again for the work of invitations whose delivery was lost: what was sent is not sent again. */
export const continueSlackInvitations: Continues = async (work, job_ids) => {
  const rows = await work.connection.query<{ job_id: string }>(
    `SELECT DISTINCT job_id FROM attendance_slack_invitations
      WHERE organization_id = $1 AND job_id = ANY ($2)`,
    [work.organization_id, job_ids],
  );
  const own = rows.map(({ job_id }) => job_id);
  for (const job_id of own) work.enqueue(inviteBySlackJob, { job_id }, { job_id });
  return own;
};
