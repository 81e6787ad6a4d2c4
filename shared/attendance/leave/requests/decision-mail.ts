import type { Text } from '../../../kernel/language.ts';
import { decisionMail } from '../../requests/decision-mail.ts';
import type { LeaveType, LeaveUnit } from '../kinds.ts';

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
  words: async (asked) => ({ asked: types[asked.type], days: daysIn(asked) }),
});

const types: Readonly<Record<LeaveType, Text>> = {
  paid_annual: { en: 'annual leave', ja: '年次有給休暇' },
  compensatory: { en: 'compensatory leave', ja: '代休' },
  special: { en: 'special leave', ja: '特別休暇' },
  sick: { en: 'sick leave', ja: '病気休暇' },
  absence: { en: 'absence', ja: '欠勤' },
  substitute: { en: 'a substitute holiday', ja: '振替休日' },
  maternity: { en: 'maternity leave', ja: '産前産後休業' },
  childcare: { en: 'childcare leave', ja: '育児休業' },
  family_care: { en: 'family care leave', ja: '介護休業' },
  work_injury: { en: 'leave for an injury at work', ja: '業務災害による休業' },
  condolence: { en: 'leave of condolence', ja: '忌引休暇' },
  other: { en: 'leave', ja: '休暇' },
};

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
