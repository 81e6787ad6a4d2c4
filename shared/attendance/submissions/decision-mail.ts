import { z } from 'zod';
import { id } from '../../kernel/schema.ts';
import type { Work } from '../../kernel/work.ts';
import { sendMailJob } from '../../platform/mailer/jobs.ts';
import type { Locale } from '../../platform/mailer/letter.ts';
import { purpose } from '../../platform/mailer/purpose.ts';
import { addMail } from '../../platform/mailer/queue-mail.ts';
import type { MemberRow } from '../members/row.ts';
import { pointless } from '../pointless-mails.ts';
import type { SubmissionRow } from './record.ts';

const decisions = ['returned', 'confirmed', 'reopened'] as const;

type Decision = (typeof decisions)[number];

type Decided = {
  status: string;
  month: string;
  comment: string | null;
  member_name: string;
  address: string | null;
  organization: string;
};

/** Who has an account is written to at its address, others at that of the member. */
const FIND = `
  SELECT submission.status, submission.month, submission.comment, member.name AS member_name,
         COALESCE(account.email, member.email) AS address, organization.name AS organization
    FROM attendance_submissions AS submission
    JOIN attendance_members AS member
      ON member.organization_id = submission.organization_id AND member.id = submission.member_id
    JOIN organizations AS organization ON organization.id = submission.organization_id
    LEFT JOIN users AS account ON account.id = member.user_id
   WHERE submission.organization_id = $1 AND submission.id = $2`;

/** Tells a member that their month was confirmed, returned or reopened. What was overtaken by another step is not told. */
export const submissionDecisionMail = purpose({
  name: 'attendance.submission_decision',
  title: { en: 'Decision on a submitted month', ja: '月次の勤怠の承認結果' },
  about: z.object({ submission_id: id('msub'), decision: z.enum(decisions) }),
  compose: async ({ submission_id, decision }, { connection, organization_id, locale }) => {
    const [decided] = await connection.query<Decided>(FIND, [organization_id, submission_id]);
    if (decided?.status !== decision) return { pointless: pointless.moved_on };
    if (decided.address === null) return { pointless: pointless.no_address };
    return {
      to: [{ name: decided.member_name, address: decided.address }],
      locale,
      ...wording[locale](decided, decision),
    };
  },
});

/** Asks for the mails about decisions, each in the language of its member. */
export async function queueDecisionMails(
  work: Work,
  decided: readonly { row: SubmissionRow; member: MemberRow }[],
): Promise<void> {
  const told = decided.filter(({ member }) => member.user_id !== null || member.email !== null);
  if (told.length === 0) return;
  const users = await work.connection.query<{ id: string; locale: Locale }>(
    'SELECT id, locale FROM users WHERE id = ANY ($1)',
    [told.flatMap(({ member }) => member.user_id ?? [])],
  );
  const localeOf = new Map(users.map(({ id: user_id, locale }) => [user_id, locale]));
  for (const { row, member } of told) {
    const mail_id = addMail(work, {
      purpose: submissionDecisionMail,
      about: { submission_id: row.id, decision: row.status as Decision },
      locale: localeOf.get(member.user_id ?? '') ?? 'ja',
    });
    work.enqueue(sendMailJob, { mail_id });
  }
}

type Words = { subject: string; paragraphs: string[] };

const outcomes: Record<Decision, { en: string; ja: string }> = {
  returned: { en: 'was returned to you', ja: 'が差し戻されました' },
  confirmed: { en: 'was confirmed', ja: 'が確定されました' },
  reopened: { en: 'was opened again', ja: 'の確定が取り消されました' },
};

const wording: Record<Locale, (decided: Decided, decision: Decision) => Words> = {
  ja: ({ member_name, organization, month, comment }, decision) => ({
    subject: `${month} の勤怠${outcomes[decision].ja}`,
    paragraphs: [
      `${member_name} さん`,
      `${organization}：${month} の勤怠${outcomes[decision].ja}。`,
      ...(decision !== 'confirmed' && comment ? [`コメント：${comment}`] : []),
    ],
  }),
  en: ({ member_name, organization, month, comment }, decision) => ({
    subject: `Your attendance of ${month} ${outcomes[decision].en}`,
    paragraphs: [
      `Dear ${member_name},`,
      `${organization}: your attendance of ${month} ${outcomes[decision].en}.`,
      ...(decision !== 'confirmed' && comment ? [`Comment: ${comment}`] : []),
    ],
  }),
};
