import type { Caller, Json } from '../caller.ts';
import type { Teller } from '../teller.ts';
import { at, type Month, nightRoster } from './calendar.ts';
import type { Scenes } from './days.ts';
import type { Office, Person } from './office.ts';

/** A month that cannot be closed yet, and the correction after which it can. */
export async function corrected(
  api: Caller,
  tell: Teller,
  { day }: Office,
  { month }: Month,
  { forgotten }: Scenes,
): Promise<void> {
  tell.chapter(
    'A forgotten clock-out',
    'The month says what keeps it open; a correction puts the day right.',
  );
  await api.refused('/attendance/submissions', { member_id: day.id, month }, ({ code, blocking }) => {
    return `${code}: ${blocking.map((one: Json) => `${one['code']} on ${one['work_date']}`).join(', ')}`;
  });
  const lunch = { start_at: at(forgotten, '12:00'), end_at: at(forgotten, '13:00') };
  const session = {
    clock_in_at: at(forgotten, '09:00'),
    clock_out_at: at(forgotten, '18:00'),
    breaks: [lunch],
  };
  const { correction } = await api.post(
    '/attendance/corrections',
    { member_id: day.id, work_date: forgotten, sessions: [session], reason: '退勤の打刻忘れ' },
    (answer) => `${answer['correction'].status}, to version ${answer['correction'].base_version} of the day`,
  );
  await api.post(
    `/attendance/corrections/${correction.id}/approve`,
    {},
    (answer) => answer['correction'].status,
  );
  await api.get(`/attendance/records/${day.id}/${forgotten}`, ({ record }) => {
    return `${record.worked_minutes} minutes worked, ${record.revisions.length} revision, ${record.punches.length} punches as they were`;
  });
}

/** A night into the legal holiday minute by minute, and how all stand against article 36. */
export async function explained(
  api: Caller,
  tell: Teller,
  { department_id, night }: Office,
  month: Month,
): Promise<void> {
  tell.chapter('Every minute', 'The night before the legal holiday: midnight divides it between two days.');
  const eve = eveOfHoliday(month);
  const { report } = await api.get(
    `/attendance/reports/my-monthly?month=${month.month}&member_id=${night.id}&explain=true`,
    ({ report: { totals } }) =>
      `${totals.worked_minutes} worked, ${totals.night_minutes} at night, ${totals.legal_holiday_minutes} on legal holidays`,
  );
  const place = report.days.findIndex(({ work_date }: Json) => work_date === eve);
  for (const { work_date, segments } of report.days.slice(place, place + 2)) {
    for (const one of segments) tell.say(`      ${work_date} ${segmentWords(one)}`);
  }
  tell.chapter('Article 36', 'Month, year, total and averages, with the months of the system before.');
  await api.get(`/attendance/limits?month=${month.month}&department_id=${department_id}`, ({ items }) =>
    items
      .map(
        ({ member, limits }: Json) => `${member.name} ${limits.level}, ${limits.minutes_left} minutes left`,
      )
      .join('; '),
  );
}

/** The first date of the roster with a shift that ends on a legal holiday of the month. */
function eveOfHoliday(month: Month): string {
  const shifts = nightRoster(month);
  return shifts.find(
    ({ day_type }, index) => day_type === 'workday' && shifts[index + 1]?.day_type === 'legal_holiday',
  )!.date;
}

function segmentWords({ start_at, end_at, class: name, night }: Json): string {
  const clock = (instant: string) =>
    Temporal.Instant.from(instant).toZonedDateTimeISO('Asia/Tokyo').toPlainTime().toString().slice(0, 5);
  return `${clock(start_at)} to ${clock(end_at)} ${name}${night ? ', night' : ''}`;
}

/** Three months that are submitted, and confirmed by one call. */
export async function closed(
  api: Caller,
  tell: Teller,
  { manager, day, night }: Office,
  { month }: Month,
  { forgotten }: Scenes,
): Promise<void> {
  tell.chapter(
    'The month is closed',
    'Submitted by each, confirmed together; no day of it changes from now on.',
  );
  const ids: string[] = [];
  for (const person of [manager, day, night]) ids.push(await submitted(api, person, month));
  await api.post('/attendance/submissions/confirm-many', { ids }, ({ items }) => {
    return items.map(({ status }: Json) => status).join(', ');
  });
  const late = { member_id: day.id, type: 'clock_in', occurred_at: at(forgotten, '19:00') };
  await api.refused('/attendance/punches', late, ({ code }) => code);
}

async function submitted(api: Caller, { id, name }: Person, month: string): Promise<string> {
  const { submission } = await api.post('/attendance/submissions', { member_id: id, month }, (answer) => {
    const { status, totals } = answer['submission'];
    return `${name}, ${status}: work on ${totals.attended_days} dates, ${totals.premium_25_minutes} minutes at 25 %, ${totals.premium_35_minutes} at 35 %`;
  });
  return submission.id;
}

/** The days and the months as CSV, and a page for each member. */
export async function printed(
  api: Caller,
  tell: Teller,
  { department_id }: Office,
  { month }: Month,
): Promise<void> {
  tell.chapter(
    'On paper',
    'A line a day and a line a month for the payroll; a page a member with boxes for seals.',
  );
  const of = `month=${month}&department_id=${department_id}`;
  await api.download(`/attendance/exports/csv?${of}`, '1 days.csv');
  await api.download(`/attendance/exports/csv?${of}&unit=monthly&time_format=hhmm`, '2 months.csv');
  await api.download(`/attendance/exports/pdf?${of}`, '3 timesheets.pdf');
}
