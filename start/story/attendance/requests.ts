import type { Caller, Json } from '../caller.ts';
import type { Teller } from '../teller.ts';
import { at, type Month, monthsEarlier } from './calendar.ts';
import type { Scenes } from './days.ts';
import type { Office } from './office.ts';

type Asked = { path: string; name: string; body: Json; words: (request: Json) => string };

/** Files a request and approves it. */
async function approved(api: Caller, { path, name, body, words }: Asked): Promise<void> {
  const { [name]: made } = await api.post(path, body, (answer) => words(answer[name]));
  await api.post(`${path}/${made.id}/approve`, {}, ({ [name]: request }) => {
    return `${request.status}: ${words(request)}`;
  });
}

/** Overtime that is asked for, with what it leaves of the limits. */
export async function overworked(
  api: Caller,
  tell: Teller,
  { day }: Office,
  { overtime }: Scenes,
): Promise<void> {
  tell.chapter('Overtime', 'What was worked beyond the schedule without a request has an alert.');
  const alertsOf = ({ record }: Json) => `alerts of ${overtime}: ${record.alerts.join(', ') || 'none'}`;
  await api.get(`/attendance/records/${day.id}/${overtime}`, alertsOf);
  await approved(api, {
    path: '/attendance/overtime-requests',
    name: 'overtime_request',
    body: {
      member_id: day.id,
      work_date: overtime,
      kind: 'after',
      planned_start_at: at(overtime, '18:00'),
      planned_end_at: at(overtime, '21:30'),
      reason: '大口注文の焙煎',
    },
    words: ({ planned_minutes, actual_minutes }) => `${planned_minutes} planned, ${actual_minutes} worked`,
  });
  await api.get(`/attendance/records/${day.id}/${overtime}`, alertsOf);
}

/** The grants of article 39 since the hire, a day of them and two hours. */
export async function rested(
  api: Caller,
  tell: Teller,
  { day }: Office,
  { first, last, today }: Month,
  { leave, hours }: Scenes,
): Promise<void> {
  tell.chapter(
    'Leave',
    'Granted by law from the day of the hire on; taken from the oldest grant that holds.',
  );
  await api.patch('/attendance/settings', { leave: { hourly_enabled: true } }, ({ settings }) => {
    return `leave by the hour: ${settings.leave.hourly_enabled}`;
  });
  await api.post(
    '/attendance/leave-balances/grant-statutory',
    { member_id: day.id, from: monthsEarlier(first, 31), as_of: today },
    ({ grants }) => grants.map(({ granted_on, days }: Json) => `${days} days on ${granted_on}`).join(', '),
  );
  const asked = { member_id: day.id, type: 'paid_annual' };
  const takes = ({ consumed }: Json) =>
    consumed
      .map((taken: Json) => `taken from a grant: days ${taken['days']}, hours ${taken['hours']}`)
      .join('; ');
  const request = { path: '/attendance/leave-requests', name: 'leave_request', words: takes };
  await approved(api, { ...request, body: { ...asked, unit: 'full', start_date: leave } });
  const byHour = { unit: 'hourly', start_date: hours, start_time: '16:00', hours: 2, reason: '通院' };
  await approved(api, { ...request, body: { ...asked, ...byHour } });
  await api.get(`/attendance/leave-balances?member_id=${day.id}&as_of=${last}`, ({ items: [balance] }) => {
    const { total_remaining_days, remaining_hours, five_day } = balance;
    return `${total_remaining_days} days ${remaining_hours} hours left; ${five_day.taken_days} of the ${five_day.required_days} days that must be taken`;
  });
}
