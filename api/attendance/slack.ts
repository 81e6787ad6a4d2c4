import { z } from 'zod';
import { inviteBySlack } from '../../shared/attendance/slack/invite.ts';
import { peopleFollowers } from '../../shared/domains.ts';
import { says } from '../../shared/kernel/language.ts';
import { id } from '../../shared/kernel/schema.ts';
import { Invitation } from '../../shared/platform/access/invitations/record.ts';
import { RoleName } from '../../shared/platform/access/members/record.ts';
import { accountEmail } from '../../shared/platform/access/names.ts';
import { JobResource } from '../../shared/platform/jobs/record.ts';
import { write } from '../http/endpoint.ts';

/** People of one call. */
const MOST = 100;

const once = <Item extends z.ZodType<string>>(item: Item) =>
  z
    .array(item)
    .max(MOST)
    .refine((all) => new Set(all).size === all.length, {
      params: { code: 'duplicate' },
      error: says({ en: 'must name each person once', ja: 'には同じ人を重複して指定できません' }),
    });

const SlackInvitationInput = z
  .strictObject({
    emails: once(accountEmail())
      .meta({ examples: [['taro.tanaka@example.co.jp']] })
      .optional(),
    slack_user_ids: once(
      z
        .string()
        .regex(
          /^[A-Z0-9]{2,50}$/,
          says({ en: 'must be the ID of a user of Slack', ja: 'にはSlackのユーザーIDを指定してください' }),
        ),
    )
      .describe('As Slack names its members, such as U012AB3CD.')
      .meta({ examples: [['U012AB3CD']] })
      .optional(),
    role: RoleName.describe("Below the inviter's own; owners may give any."),
    department_id: id('dept')
      .nullable()
      .describe('Of those who are in no department yet.')
      .meta({ examples: [null] })
      .optional(),
  })
  .superRefine(({ emails = [], slack_user_ids = [] }, issues) => {
    const count = emails.length + slack_user_ids.length;
    if (count >= 1 && count <= MOST) return;
    issues.addIssue({
      code: 'custom',
      path: ['emails'],
      params: { code: count === 0 ? 'required' : 'too_many' },
      message: says({
        en: `and slack_user_ids together must name 1 to ${MOST} people`,
        ja: `と slack_user_ids は、合わせて1〜${MOST}人を指定してください`,
      }),
    });
  })
  .meta({ id: 'SlackInvitationInput' });

export const slack = [
  write({
    id: 'attendance.members.invite_slack',
    method: 'post',
    path: '/api/v1/attendance/members/invite-slack',
    scope: 'attendance:write',
    session: true,
    summary: 'Invite people and tell them in Slack',
    description:
      'Owners and admins invite by address, or by account of Slack, whose address `job` finds. Each gets the mail with the link, and one message in Slack that names the mail and has no link. `delivery_status` of an invitation says how that ended, here and in `GET /invitations`: a message is never sent twice, so one that a crash has left in doubt is `failed`. An account without an address, and one of a member, have their invitation `revoked`.',
    body: SlackInvitationInput,
    status: 202,
    reply: z.strictObject({ invitations: z.array(Invitation), job: JobResource }),
    raises: [
      'role_required',
      'slack_not_connected',
      'unknown_reference',
      'already_exists',
      'insufficient_scope',
    ],
    handle: ({ body, mail_limits, outside }, work) => {
      const { emails = [], slack_user_ids = [], role, department_id = null } = body;
      return inviteBySlack(
        work,
        { emails, slack_user_ids, role, department_id },
        { keys: outside.secret_keys, limits: mail_limits },
        peopleFollowers,
      );
    },
  }),
];
