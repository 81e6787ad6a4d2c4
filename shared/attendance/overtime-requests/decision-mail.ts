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
  words: async ({ work_date, planned_start_at, planned_end_at }, { work }) => {
    const { time_zone } = settingsOn(await datedRows(work), work_date);
    const [start, end] = [clockIn(time_zone, planned_start_at), clockIn(time_zone, planned_end_at)];
    return {
      asked: { en: 'overtime', ja: '残業' },
      days: { en: `${work_date}, ${start} to ${end}`, ja: `${work_date} ${start}から${end}まで` },
    };
  },
});

/** `18:00` */
function clockIn(time_zone: string, instant: string): string {
  const { hour, minute } = Temporal.Instant.from(instant).toZonedDateTimeISO(time_zone);
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}
