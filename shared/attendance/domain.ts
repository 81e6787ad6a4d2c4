import { domain } from '../platform/domain.ts';
import { jobsAreForAskers } from '../platform/jobs/askers.ts';
import { MINUTE } from '../platform/sweeps/expiry.ts';
import { attendanceAuditSight } from './audit-sight.ts';
import { correctionBatch } from './corrections/batches.ts';
import { correctionDecisionMail } from './corrections/decision-mail.ts';
import { dailyJob } from './daily/jobs.ts';
import { planFirstRun } from './daily/plan.ts';
import { startDailyRuns } from './daily/sweep.ts';
import { renderSheetsJob } from './exports/jobs.ts';
import { dailyReport, monthlyReport } from './exports/reports.ts';
import { reasonsOfAttendance } from './failure-reasons.ts';
import { dayImport } from './imports/domain.ts';
import { leaveRequestBatch } from './leave/requests/batches.ts';
import { leaveDecisionMail } from './leave/requests/decision-mail.ts';
import { attendanceMeasures } from './measures.ts';
import { attendancePeople } from './members/following.ts';
import { overtimeRequestBatch } from './overtime-requests/batches.ts';
import { overtimeDecisionMail } from './overtime-requests/decision-mail.ts';
import { pointless } from './pointless-mails.ts';
import { recalculateJob } from './recalculation/jobs.ts';
import { createDefaultSchedule } from './schedules/operations.ts';
import { membersSeen } from './sight/sight.ts';
import { continueSlackInvitations } from './slack/deliveries.ts';
import { inviteBySlackJob } from './slack/jobs.ts';
import { submissionDecisionMail } from './submissions/decision-mail.ts';
import { attendanceWords } from './words.ts';

jobsAreForAskers('attendance');

export const attendance = domain({
  name: 'attendance',
  title: 'Attendance',
  description: 'Working hours of people by the labour law of Japan.',
  resources: {
    members: { title: 'Members', description: 'The people whose days are recorded.' },
    departments: { title: 'Departments', description: 'A tree of departments with those who manage them.' },
    terms: { title: 'Terms', description: 'What is agreed with a member, from a day on.' },
    corrections: { title: 'Corrections', description: 'Other sessions that people ask for on past days.' },
    overtime_requests: {
      title: 'Overtime requests',
      description: 'Work beyond the schedule that people ask for, before or after it.',
    },
    leave_requests: { title: 'Leave requests', description: 'Leave that people ask for, decided by others.' },
    leave_balances: {
      title: 'Leave balances and grants',
      description: 'Days of leave by law and by hand, and what is left of them.',
    },
    positions: { title: 'Positions', description: 'What people are in the organization.' },
    schedules: { title: 'Schedules', description: 'The times of working days.' },
    punches: { title: 'Punches', description: 'What people punch, and what they may punch next.' },
    records: {
      title: 'Records',
      description: 'The days of members: sessions, and the minutes that follow from them.',
    },
    imports: { title: 'Imports of days', description: 'Files of days, what became of their rows, undoing.' },
    submissions: {
      title: 'Submissions',
      description: 'Months that members submit and others confirm; closed ones do not change.',
    },
    opening_months: {
      title: 'Opening months',
      description: 'Overtime of months that the system before recorded.',
    },
    reports: { title: 'Monthly reports', description: 'Months of members: days, totals, limits.' },
    limits: { title: 'Limits', description: 'How members stand against article 36.' },
    overview: { title: 'Overview', description: 'How one stands oneself.' },
    preview: { title: 'Preview', description: 'Figures of days that are kept nowhere.' },
    dashboard: { title: 'Dashboard', description: 'How members stand, in numbers.' },
    exports: {
      title: 'Files of attendance',
      description: 'Days and months of members as CSV, and on paper.',
    },
    roster: { title: 'Roster', description: 'What single dates are for single members.' },
    holidays: { title: 'Holidays', description: 'National ones, and those of the company.' },
    settings: {
      title: 'Settings of attendance',
      description: 'What figures follow from, each from a day on.',
    },
  },
  begin: (work) => {
    createDefaultSchedule(work);
    planFirstRun(work);
  },
  people: attendancePeople,
  sweeps: [
    {
      name: 'attendance_daily',
      description: {
        en: 'Starts the daily run of organizations after midnight of their own clock',
        ja: '組織の時刻で午前0時を過ぎたら、日次処理を開始します',
      },
      every: MINUTE,
      run: startDailyRuns,
    },
  ],
  imports: [dayImport],
  file_words: { 勤怠日次: 'attendance_daily', 勤怠月次: 'attendance_monthly', 勤務表: 'timesheets' },
  reports: [dailyReport, monthlyReport],
  jobs: [dailyJob, recalculateJob, renderSheetsJob, inviteBySlackJob],
  orphans: { continues: [continueSlackInvitations] },
  measures: attendanceMeasures,
  batches: [correctionBatch, overtimeRequestBatch, leaveRequestBatch],
  event_sight: (reader) => membersSeen(reader),
  pointless_mails: Object.values(pointless),
  failure_reasons: Object.values(reasonsOfAttendance),
  mails: [
    correctionDecisionMail.purpose,
    overtimeDecisionMail.purpose,
    leaveDecisionMail.purpose,
    submissionDecisionMail,
  ],
  words: attendanceWords,
  records: { ja: '勤怠', en: 'attendance' },
  guides: ['how-a-day-is-classified', 'leave', 'closing-a-month', 'import-attendance'],
  audit_log: {
    path: '/api/v1/attendance/audit-logs',
    about: 'attendance',
    description:
      'Who changed what, from which value to which. Managers are shown the changes of the members whose days they read, and of what is about nobody.',
    sight: attendanceAuditSight,
  },
});
