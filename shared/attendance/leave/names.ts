import type { Text } from '../../kernel/language.ts';
import type { LeaveType } from './kinds.ts';

/** What people call the kinds of leave. */
export const leaveTypeNames: Readonly<Record<LeaveType, Text>> = {
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
