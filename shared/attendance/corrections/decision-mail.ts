import { decisionMail } from '../requests/decision-mail.ts';

/** Tells a member how their correction was decided. */
export const correctionDecisionMail = decisionMail<{ work_date: string }>({
  name: 'attendance.correction_decision',
  kind: 'correction',
  prefix: 'corr',
  table: 'attendance_corrections',
  columns: ['work_date'],
  title: { en: 'a correction', ja: '勤怠の修正申請' },
  words: async ({ work_date }) => ({
    asked: { en: 'a correction of your hours', ja: '勤怠の修正' },
    days: { en: work_date, ja: work_date },
  }),
});
