import { domain } from '../platform/domain.ts';
import { leaveRequestBatch } from './leave/requests/batches.ts';
import { leaveDecisionMail } from './leave/requests/decision-mail.ts';
import { attendancePeople } from './members/following.ts';
import { createDefaultSchedule } from './schedules/operations.ts';
import { attendanceWords } from './words.ts';

export const attendance = domain({
  name: 'attendance',
  title: 'Attendance',
  description: 'Working hours of people by the labour law of Japan.',
  resources: {
    members: { title: 'Members', description: 'The people whose days are recorded.' },
    departments: { title: 'Departments', description: 'A tree of departments with those who manage them.' },
    leave_requests: { title: 'Leave requests', description: 'Leave that people ask for, decided by others.' },
    leave_balances: {
      title: 'Leave balances and grants',
      description: 'Days of leave by law and by hand, and what is left of them.',
    },
    positions: { title: 'Positions', description: 'What people are in the organization.' },
  },
  guides: ['how-a-day-is-classified'],
  begin: createDefaultSchedule,
  people: attendancePeople,
  batches: [leaveRequestBatch],
  mails: [leaveDecisionMail],
  words: attendanceWords,
  records: { ja: '勤怠', en: 'attendance' },
  guides: ['leave'],
  audit_log: { path: '/api/v1/attendance/audit-logs', about: 'attendance' },
});
