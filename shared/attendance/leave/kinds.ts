import type { RequestStatus } from '../requests/statuses.ts';

/** The kinds of leave that have a balance: what is granted is used up. */
export const balanceTypes = ['paid_annual', 'compensatory', 'special'] as const;

export type BalanceType = (typeof balanceTypes)[number];

/** All kinds of leave. Those without a balance are taken as they are approved. */
export const leaveTypes = [
  ...balanceTypes,
  'sick',
  'absence',
  'substitute',
  'maternity',
  'childcare',
  'family_care',
  'work_injury',
  'condolence',
  'other',
] as const;

export type LeaveType = (typeof leaveTypes)[number];

/** Whether days of a kind are taken from grants. */
export function hasBalance(type: LeaveType): type is BalanceType {
  return balanceTypes.some((one) => one === type);
}

/** What one request takes of its days: whole days, the half before or after noon, or hours. */
export const leaveUnits = ['full', 'half_am', 'half_pm', 'hourly'] as const;

export type LeaveUnit = (typeof leaveUnits)[number];

/** Whether a request holds its days: it waits for a decision, or was approved. */
export function isLive(status: RequestStatus): boolean {
  return status === 'pending' || status === 'approved';
}

/**
 * Kinds of leave that count as attended where the attendance of art. 39(1) of the Labour Standards Act is asked for:
 * art. 39(10) names injuries at work, maternity, childcare and family care; annual leave by Notice 1947-09-13 no. 17.
 */
export const attendedTypes: readonly LeaveType[] = [
  'paid_annual',
  'work_injury',
  'maternity',
  'childcare',
  'family_care',
];

/** Kinds whose days are no days of duty there: the employer released the member from work. */
export const releasedTypes: readonly LeaveType[] = ['compensatory', 'substitute', 'special', 'condolence'];
