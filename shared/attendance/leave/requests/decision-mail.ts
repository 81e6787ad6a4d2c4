import type { Text } from '../../../kernel/language.ts';
import { decisionMail } from '../../requests/decision-mail.ts';
import type { LeaveType, LeaveUnit } from '../kinds.ts';
import { leaveTypeNames } from '../names.ts';

type Asked = {
  type: LeaveType;
  unit: LeaveUnit;
  start_date: string;
  end_date: string;
  start_time: string | null;
  hours: number | null;
};

/** Tells a member how their request for leave was decided. */
export const leaveDecisionMail = decisionMail<Asked>({
  name: 'attendance.leave_decision',
  kind: 'leave_request',
  prefix: 'lreq',
  table: 'attendance_leave_requests',
  columns: ['type', 'unit', 'start_date', 'end_date', 'start_time', 'hours'],
  title: { en: 'leave', ja: '休暇申請' },
  words: async (asked) => ({ asked: leaveTypeNames[asked.type], days: daysIn(asked) }),
});

const halves: Readonly<Record<LeaveUnit, Text>> = {
  full: { en: '', ja: '' },
  half_am: { en: ', morning', ja: '（午前）' },
  half_pm: { en: ', afternoon', ja: '（午後）' },
  hourly: { en: '', ja: '' },
};

/** The days of a request, in words. */
function daysIn({ unit, start_date, end_date, start_time, hours }: Asked): Text {
  if (unit === 'hourly') {
    return {
      en: `${start_date}, ${hours} ${hours === 1 ? 'hour' : 'hours'} from ${start_time}`,
      ja: `${start_date} ${start_time}から${hours}時間`,
    };
  }
  const half = halves[unit];
  if (start_date === end_date) return { en: `${start_date}${half.en}`, ja: `${start_date}${half.ja}` };
  return { en: `${start_date} to ${end_date}`, ja: `${start_date}から${end_date}まで` };
}
