import type { Text } from '../../kernel/language.ts';
import { decisionMail } from '../requests/decision-mail.ts';
import { settingsOn } from '../settings/dated.ts';
import { datedRows } from '../settings/queries.ts';

type Asked = { work_date: string; planned_start_at: string; planned_end_at: string };

/** Tells a member how their overtime request was decided. */
export const overtimeDecisionMail = decisionMail<Asked>({
  name: 'attendance.overtime_decision',
  kind: 'overtime_request',
  prefix: 'otreq',
  table: 'attendance_overtime_requests',
  columns: ['work_date', 'planned_start_at', 'planned_end_at'],
  title: { en: 'overtime', ja: '残業申請' },
  words: async (asked, { work }) => {
    const { time_zone } = settingsOn(await datedRows(work), asked.work_date);
    return { asked: { en: 'overtime', ja: '残業' }, days: planText(asked, time_zone) };
  },
});

/** The work date and the planned time; a time of another date, as at the end of a night shift, says its own. */
export function planText({ work_date, planned_start_at, planned_end_at }: Asked, time_zone: string): Text {
  const clock = (instant: string) => {
    const at = Temporal.Instant.from(instant).toZonedDateTimeISO(time_zone);
    const time = at.toPlainTime().toString({ smallestUnit: 'minute' });
    const date = at.toPlainDate().toString();
    return date === work_date ? time : `${date} ${time}`;
  };
  const [start, end] = [clock(planned_start_at), clock(planned_end_at)];
  return { en: `${work_date}, ${start} to ${end}`, ja: `${work_date}、${start}から${end}まで` };
}
