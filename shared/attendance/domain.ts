import { domain } from '../platform/domain.ts';
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
    positions: { title: 'Positions', description: 'What people are in the organization.' },
  },
  guides: ['how-a-day-is-classified'],
  begin: createDefaultSchedule,
  people: attendancePeople,
  words: attendanceWords,
  records: { ja: '勤怠', en: 'attendance' },
  audit_log: { path: '/api/v1/attendance/audit-logs', about: 'attendance' },
});
