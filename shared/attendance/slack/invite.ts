import { unknownReference } from '../../kernel/failure.ts';
import type { Role } from '../../kernel/scope.ts';
import type { Work } from '../../kernel/work.ts';
import type { PeopleFollowers } from '../../platform/access/followers.ts';
import { type InvitedPeople, inviteForDelivery } from '../../platform/access/invitations/many.ts';
import type { Invitation } from '../../platform/access/invitations/record.ts';
import { createJob } from '../../platform/jobs/operations.ts';
import type { JobResource } from '../../platform/jobs/record.ts';
import type { MailLimits } from '../../platform/mailer/mail-limits.ts';
import type { SecretKeys } from '../../platform/secrets/keys.ts';
import { requireManagement } from '../sight/people.ts';
import { requireSlack } from './connection.ts';
import { inviteBySlackJob } from './jobs.ts';

/** Whom to invite as what; `department_id` is for those who have none yet. */
export type SlackInvitations = InvitedPeople & { role: Role; department_id: string | null };

const DELIVERIES = { tableName: 'attendance_slack_invitations' };

/**
 * Invites people by mail and tells them of it in Slack, both by a worker. Errors: `role_required`, `slack_not_connected`,
 * `unknown_reference`, and those of inviting somebody.
 */
export async function inviteBySlack(
  work: Work,
  { department_id, ...people }: SlackInvitations,
  { keys, limits }: { keys: SecretKeys; limits: MailLimits },
  followers: PeopleFollowers,
): Promise<{ invitations: Invitation[]; job: JobResource }> {
  requireManagement(work);
  await requireSlack(work, keys);
  if (department_id !== null) await holdDepartment(work, department_id);
  const invitations = await inviteForDelivery(work, people, limits, followers);
  const job = createJob(work, {
    kind: 'attendance.members.invite_slack',
    scope: '*',
    unit: 'invitations',
    total: invitations.length,
  });
  work.insertAll(
    DELIVERIES,
    invitations.map(({ id }) => ({ invitation_id: id, job_id: job.id, department_id })),
  );
  work.enqueue(inviteBySlackJob, { job_id: job.id }, { job_id: job.id });
  return { invitations, job };
}

/** Errors: `unknown_reference` at /department_id. */
async function holdDepartment(work: Work, id: string): Promise<void> {
  const found = await work.connection.query(
    'SELECT FROM attendance_departments WHERE organization_id = $1 AND id = $2 FOR KEY SHARE',
    [work.organization_id, id],
  );
  if (found.length === 0) throw unknownReference('/department_id', id);
}
