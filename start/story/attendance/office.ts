import type { Caller, Json } from '../caller.ts';
import type { Teller } from '../teller.ts';
import { type Month, monthsEarlier, nightRoster } from './calendar.ts';

/** Somebody of the story. */
export type Person = { id: string; code: string; name: string };

/** Whose month it is: the manager of a department, one who works by day and one who works by night. */
export type Office = { department_id: string; manager: Person; day: Person; night: Person };

/** Months that somebody has been with the company when the month begins: two statutory grants are alive, one has lapsed. */
const SERVICE = 31;

/** A department, its manager and two people. `tag` keeps their codes apart where the story is told again. */
export async function employed(api: Caller, tell: Teller, { first }: Month, tag: string): Promise<Office> {
  tell.chapter('A department', 'A manager, and two people: one works by day, one by night.');
  const made = await api.post('/attendance/org/departments', { name: '焙煎所' }, ({ department }) => {
    return department.name;
  });
  const department_id = made['department'].id;
  const { position } = await api.post('/attendance/org/positions', { name: '所長' }, (answer) => {
    return answer['position'].name;
  });
  const person = async (number: number, name: string, fields: Json = {}): Promise<Person> => {
    const { member } = await api.post(
      '/attendance/members',
      {
        name,
        employee_code: `${tag}-${number}`,
        department_id,
        hired_on: monthsEarlier(first, SERVICE),
        ...fields,
      },
      (answer) => `${answer['member'].name}, without an account; hired on ${answer['member'].hired_on}`,
    );
    return { id: member.id, code: member.employee_code, name };
  };
  const manager = await person(1, '佐藤 健', { position_id: position.id });
  const day = await person(2, '田中 美咲');
  const night = await person(3, '鈴木 一郎');
  await api.patch(
    `/attendance/org/departments/${department_id}`,
    { manager_member_id: manager.id },
    ({ department }) => `${manager.name} manages ${department.name}, ${department.member_count} people`,
  );
  return { department_id, manager, day, night };
}

/** A schedule over midnight, terms of shifts, and a day of the roster for each date of the month. */
export async function rostered(api: Caller, tell: Teller, { night }: Office, month: Month): Promise<void> {
  tell.chapter(
    'A roster',
    'From 22:00 to 07:00; Sunday is the legal holiday, on which the night of Saturday ends.',
  );
  const { schedule } = await api.post(
    '/attendance/schedules',
    { name: '夜勤', start: '22:00', end: '07:00', breaks: [{ start: '02:00', end: '03:00' }] },
    (answer) =>
      `${answer['schedule'].start} to ${answer['schedule'].end}, ${answer['schedule'].minutes} minutes`,
  );
  await api.post(
    `/attendance/members/${night.id}/terms`,
    { effective_from: monthsEarlier(month.first, SERVICE), work_system: 'shift', schedule_id: schedule.id },
    ({ terms }) => `${terms.work_system} from ${terms.effective_from} on`,
  );
  const { job } = await api.put(
    '/attendance/roster',
    { items: nightRoster(month).map((shift) => ({ member_id: night.id, ...shift })) },
    ({ items }) => {
      const nights = items.filter(({ day_type }: Json) => day_type === 'workday').length;
      return `${items.length} days, ${nights} of them with a shift`;
    },
  );
  if (job) await api.follow(job);
}

/** Overtime of the months before, which the averages of article 36 need. */
export async function takenOver(api: Caller, { day }: Office, { first }: Month): Promise<void> {
  const items = [3, 2, 1].map((months) => ({
    month: monthsEarlier(first, months).slice(0, 7),
    statutory_overtime_minutes: 900 + 300 * months,
    legal_holiday_minutes: 0,
  }));
  await api.put(`/attendance/members/${day.id}/opening-months`, { items }, (answer) => {
    return `${answer['items'].length} months of the system before count in the limits`;
  });
}
