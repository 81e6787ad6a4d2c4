import { z } from 'zod';
import type { Text } from '../../../kernel/language.ts';
import { id } from '../../../kernel/schema.ts';
import type { Work } from '../../../kernel/work.ts';
import type { Locale } from '../../../platform/mailer/letter.ts';
import { purpose } from '../../../platform/mailer/purpose.ts';
import { queueMail } from '../../../platform/mailer/queue-mail.ts';
import type { LeaveType, LeaveUnit } from '../kinds.ts';
import { leaveTypeNames } from '../names.ts';
import type { LeaveRequestRow } from './rows.ts';

type Decided = {
  status: 'approved' | 'rejected';
  type: LeaveType;
  unit: LeaveUnit;
  start_date: string;
  end_date: string;
  start_time: string | null;
  hours: number | null;
  decision_comment: string | null;
  decided_at: string | null;
  member_name: string;
  address: string | null;
  approver_name: string | null;
  organization: string;
};

/** Who has an account is written to at its address, others at that of the member. */
const FIND = `
  SELECT request.status, request.type, request.unit, request.start_date, request.end_date, request.start_time,
         request.hours, request.decision_comment, request.decided_at, member.name AS member_name,
         COALESCE(account.email, member.email) AS address, approver.name AS approver_name,
         organization.name AS organization
    FROM attendance_leave_requests AS request
    JOIN attendance_members AS member
      ON member.organization_id = request.organization_id AND member.id = request.member_id
    JOIN organizations AS organization ON organization.id = request.organization_id
    LEFT JOIN users AS account ON account.id = member.user_id
    LEFT JOIN users AS approver ON approver.id = request.approver_id
   WHERE request.organization_id = $1 AND request.id = $2`;

/** Tells a member how their request for leave was decided. One that was cancelled since is not told of any more. */
export const leaveDecisionMail = purpose({
  name: 'attendance.leave_decision',
  about: z.object({ leave_request_id: id('lreq') }),
  compose: async ({ leave_request_id }, { connection, organization_id, locale }) => {
    const [decided] = await connection.query<Decided>(FIND, [organization_id, leave_request_id]);
    if (decided?.status !== 'approved' && decided?.status !== 'rejected') {
      return { pointless: 'The request was cancelled since' };
    }
    if (decided.address === null) return { pointless: 'The member has no address' };
    return {
      to: [{ name: decided.member_name, address: decided.address }],
      locale,
      ...wording[locale](decided),
    };
  },
});

/** Asks for the mail about a decision, in the language of the member. */
export async function queueDecisionMail(work: Work, { id, member_id }: LeaveRequestRow): Promise<void> {
  const [member] = await work.connection.query<{ user_id: string | null; email: string | null }>(
    'SELECT user_id, email FROM attendance_members WHERE organization_id = $1 AND id = $2',
    [work.organization_id, member_id],
  );
  if (!member || (member.user_id === null && member.email === null)) return;
  const about = { leave_request_id: id };
  await queueMail(work, work.organization_id, {
    purpose: leaveDecisionMail,
    about,
    speaks: member.user_id,
  });
}

const halves: Readonly<Record<LeaveUnit, Text>> = {
  full: { en: '', ja: '' },
  half_am: { en: ', morning', ja: '（午前）' },
  half_pm: { en: ', afternoon', ja: '（午後）' },
  hourly: { en: '', ja: '' },
};

/** The days of a request, in words. */
function daysIn(locale: Locale, { unit, start_date, end_date, start_time, hours }: Decided): string {
  const half = halves[unit][locale];
  if (unit === 'hourly') {
    return locale === 'ja'
      ? `${start_date} ${start_time}から${hours}時間`
      : `${start_date}, ${hours} ${hours === 1 ? 'hour' : 'hours'} from ${start_time}`;
  }
  if (start_date === end_date) return `${start_date}${half}`;
  return locale === 'ja' ? `${start_date}から${end_date}まで` : `${start_date} to ${end_date}`;
}

type Words = { subject: string; paragraphs: string[] };

const wording: Record<Locale, (decided: Decided) => Words> = {
  ja: (decided) => {
    const outcome = decided.status === 'approved' ? '承認されました' : '却下されました';
    return {
      subject: `休暇申請が${outcome}`,
      paragraphs: [
        `${decided.member_name} さん`,
        `${decided.organization}：${leaveTypeNames[decided.type].ja}の申請が${outcome}。`,
        `対象日：${daysIn('ja', decided)}`,
        ...(decided.approver_name === null ? [] : [`承認者：${decided.approver_name}`]),
        ...(decided.decision_comment ? [`コメント：${decided.decision_comment}`] : []),
      ],
    };
  },
  en: (decided) => ({
    subject: `Your request for leave was ${decided.status}`,
    paragraphs: [
      `Dear ${decided.member_name},`,
      `${decided.organization}: your request for ${leaveTypeNames[decided.type].en} was ${decided.status}.`,
      `Days: ${daysIn('en', decided)}`,
      ...(decided.approver_name === null ? [] : [`Decided by: ${decided.approver_name}`]),
      ...(decided.decision_comment ? [`Comment: ${decided.decision_comment}`] : []),
    ],
  }),
};
