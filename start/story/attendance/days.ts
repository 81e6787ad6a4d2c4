import type { Caller, Json } from '../caller.ts';
import type { Teller } from '../teller.ts';
import { at, type Month, nightRoster } from './calendar.ts';
import type { Office, Person } from './office.ts';

/**
 * The dates of the month on which something happens, all of them workdays of who works by day. The day after the clock-out that is
 * forgotten is on leave: when the next punch comes, the session has expired on any calendar.
 */
export type Scenes = { forgotten: string; leave: string; hours: string; overtime: string };

type Punches = readonly (readonly [type: string, time: string])[];

const USUAL: Punches = [
  ['clock_in', '09:00'],
  ['break_start', '12:00'],
  ['break_end', '13:00'],
  ['clock_out', '18:00'],
];

const NIGHT: Punches = [
  ['clock_in', '22:00'],
  ['break_start', '26:00'],
  ['break_end', '27:00'],
  ['clock_out', '31:00'],
];

const punchesOf = ({ id }: Person, date: string, punches: Punches): Json[] =>
  punches.map(([type, time]) => ({ member_id: id, type, occurred_at: at(date, time) }));

/** The workdays of a member, as the calendar of the organization has them. */
async function workdaysOf(api: Caller, { id, name }: Person, { month }: Month): Promise<string[]> {
  const dates = (days: Json[]) =>
    days.filter(({ day_type }) => day_type === 'workday').map(({ work_date }) => work_date as string);
  const { report } = await api.get(
    `/attendance/reports/my-monthly?month=${month}&member_id=${id}`,
    (answer) => `${dates(answer['report'].days).length} workdays of ${name}`,
  );
  return dates(report.days);
}

/** A month of punches: the first ones are told, a terminal sends the others. Answers what is special about which dates. */
export async function punched(
  api: Caller,
  tell: Teller,
  { day, night }: Office,
  month: Month,
): Promise<Scenes> {
  tell.chapter('Punches', 'The time alone decides nothing: the state before each says what may come next.');
  const workdays = await workdaysOf(api, day, month);
  const [first, , , forgotten, leave, , hours, , overtime] = workdays as [string, ...string[]];
  const scenes = { forgotten, leave, hours, overtime } as Scenes;
  for (const punch of punchesOf(day, first, USUAL)) {
    await api.post('/attendance/punches', punch, ({ status, record }) => {
      return `${status.state}; ${record.work_date}: ${record.worked_minutes} minutes worked`;
    });
  }
  await api.refused(
    '/attendance/punches',
    { member_id: day.id, type: 'clock_out', occurred_at: at(first, '18:05') },
    ({ code, allowed }) => `${code}: ${allowed.join(', ')} may come next`,
  );
  const ofDay = workdays.slice(1).flatMap((date) => punchesOf(day, date, usualOn(date, scenes)));
  const nights = nightRoster(month).filter(({ day_type }) => day_type === 'workday');
  const ofNight = nights.flatMap(({ date }) => punchesOf(night, date, NIGHT));
  for (const punches of [ofDay, ofNight]) {
    await api.post('/attendance/punches/batch', { punches }, ({ items }) => {
      const made = items.filter(({ status }: Json) => status === 201).length;
      return `${made} of ${items.length} punches of a terminal`;
    });
  }
  return scenes;
}

function usualOn(date: string, { forgotten, leave, hours, overtime }: Scenes): Punches {
  if (date === leave) return [];
  if (date === forgotten) return USUAL.slice(0, -1);
  if (date === hours) return [...USUAL.slice(0, -1), ['clock_out', '16:00']];
  if (date === overtime) return [...USUAL.slice(0, -1), ['clock_out', '21:30']];
  return USUAL;
}

/** The month of the manager from the time recorder of before, with a row of somebody unknown. */
export async function imported(api: Caller, tell: Teller, { manager }: Office, month: Month): Promise<void> {
  tell.chapter(
    'A CSV of days',
    'From another time recorder, with its own headers; a wrong row stops no other.',
  );
  const workdays = await workdaysOf(api, manager, month);
  const rows = workdays.map((date, index) => {
    const end = index === 1 ? '25:10' : '19:00';
    return `${manager.code},${date},08:30,${end},12:00-13:00`;
  });
  const lines = ['社員番号,日付,出勤,退勤,休憩', ...rows, `${manager.code}-X,${month.first},09:00,18:00,`];
  const begun = await api.postCsv(
    '/attendance/imports',
    { name: 'days.csv', text: `${lines.join('\r\n')}\r\n` },
    (answer) => answer['import'].status,
  );
  await api.follow(begun['job']);
  const { id } = begun['import'];
  await api.get(`/attendance/imports/${id}`, ({ import: made }) => {
    return `${made.status}: ${made.day_count} days of ${made.processed_rows} rows`;
  });
  await api.get(`/attendance/imports/${id}/errors`, ({ items: [fault] }) => {
    return `row ${fault.row}: ${fault.code} in ${fault.column}`;
  });
}
