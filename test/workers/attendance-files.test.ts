import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { hoursAndMinutes } from '../../shared/attendance/exports/cells.ts';
import { leaveTypes } from '../../shared/attendance/leave/kinds.ts';
import { startApp } from '../support/app.ts';
import { newWorkplace, type Workplace } from '../support/attendance.ts';
import { fileOf, linesIn, linesOf, MONTH, officeOf } from '../support/attendance-files.ts';
import { download } from '../support/pdf-documents.ts';
import { readPdf } from '../support/rendering.ts';
import { startWorkers } from '../support/workers.ts';

const app = await startApp();
const { owner, department, night, plain } = await officeOf(app);
const { dataDir } = app.context.settings;
const environment = { DATABASE_URL: app.database_url, DATA_DIR: dataDir };
await startWorkers(environment, ['--queues', 'report-export,pdf-render']);

describe('GET /attendance/exports/csv', () => {
  test('daily: a line a member and day, each cell as the record has it', async () => {
    const lines = await linesIn(app, owner, `month=${MONTH}`);
    const people = [
      ['E-01', plain.id],
      ['E-02', night.id],
      ['', owner.member_id],
    ];
    assert.deepEqual(
      lines.map(({ employee_code, work_date }) => [employee_code, work_date]),
      people.flatMap(([code]) =>
        Array.from({ length: 30 }, (_, day) => [code, `${MONTH}-${String(day + 1).padStart(2, '0')}`]),
      ),
    );
    for (const line of lines) {
      const [, id] = people.find(([code]) => code === line['employee_code'])!;
      const { record } = await owner.done('GET', `/records/${id}/${line['work_date']}`);
      const wanted = {
        day_type: record.day_type,
        break: record.break_minutes,
        worked: record.worked_minutes,
        scheduled: record.scheduled_minutes,
        non_statutory_overtime: record.non_statutory_overtime_minutes,
        prescribed_holiday: record.prescribed_holiday_minutes,
        statutory_overtime: record.statutory_overtime_minutes,
        legal_holiday: record.legal_holiday_minutes,
        night: record.night_minutes,
        night_overtime: record.night_statutory_overtime_minutes,
        night_holiday: record.night_legal_holiday_minutes,
        late: record.late_minutes,
        early_leave: record.early_leave_minutes,
        leave_type: record.leave.map(({ type }: { type: string }) => type).join(';'),
        alerts: record.alerts.join(';'),
      };
      const shown = Object.fromEntries(Object.keys(wanted).map((name) => [name, line[name]]));
      const texts = Object.entries(wanted).map(([name, value]) => [name, String(value)]);
      assert.deepEqual(shown, Object.fromEntries(texts), `${line['work_date']} of ${id}`);
    }
    const [first, , , , fifth, , , eighth, , tenth] = lines.slice(30);
    assert.deepEqual(
      [first!['clock_in'], first!['clock_out'], first!['sessions'], first!['weekday']],
      ['17:00', '26:30', '17:00-26:30', 'tuesday'],
    );
    assert.equal(fifth!['sessions'], '08:58-12:00;13:00-19:07');
    assert.deepEqual([eighth!['leave_days'], tenth!['leave_days']], ['1', '0.5']);
    const [, , third] = lines;
    assert.deepEqual(
      [third!['sessions'], third!['clock_out'], third!['note']],
      ['09:00-', '', "'@現場へ\n直行"],
    );
    assert.equal(first!['name'], `'=髙﨑 "夜"`);
    assert.equal(first!['department'], '営業"部",第一');
  });

  test('monthly: a line a member and month, each cell as the report has it', async () => {
    const months = await linesIn(app, owner, `from=2026-08-31&to=${MONTH}-02&unit=monthly`);
    assert.deepEqual(
      months.map(({ employee_code, month }) => [employee_code, month]),
      ['E-01', 'E-02', ''].flatMap((code) => [
        [code, '2026-08'],
        [code, MONTH],
      ]),
    );
    const lines = months.filter(({ month }) => month === MONTH);
    const { items } = (await owner.get(`/attendance/reports/monthly?month=${MONTH}`)).body;
    for (const [place, { member, totals }] of items.entries()) {
      const line = lines[place]!;
      assert.equal(line['name']!.replace(/^'/, ''), member.name);
      const wanted = {
        workdays: totals.workdays,
        attended: totals.attended_days,
        absence: totals.absence_days,
        ...Object.fromEntries(leaveTypes.map((type) => [`leave_${type}`, totals.leave_days[type] ?? 0])),
        scheduled: totals.scheduled_minutes,
        non_statutory_overtime: totals.non_statutory_overtime_minutes,
        prescribed_holiday: totals.prescribed_holiday_minutes,
        statutory_overtime: totals.statutory_overtime_minutes,
        legal_holiday: totals.legal_holiday_minutes,
        night: totals.night_minutes,
        night_overtime: totals.night_statutory_overtime_minutes,
        night_holiday: totals.night_legal_holiday_minutes,
        premium_25: totals.premium_25_minutes,
        premium_50: totals.premium_50_minutes,
        premium_35: totals.premium_35_minutes,
        late: totals.late_minutes,
        early_leave: totals.early_leave_minutes,
      };
      const { employee_code: _, name, department, position, month, ...shown } = line;
      assert.deepEqual(
        shown,
        Object.fromEntries(Object.entries(wanted).map(([header, value]) => [header, String(value)])),
      );
    }
  });

  test('days from one to another may lie in two periods; an hour is 60 minutes in hhmm', async () => {
    const minutes = await linesIn(app, owner, `from=2026-08-31&to=2026-09-02&member_id=${plain.id}`);
    assert.deepEqual(
      minutes.map(({ work_date }) => work_date),
      ['2026-08-31', '2026-09-01', '2026-09-02'],
    );
    assert.deepEqual([minutes[2]!['worked'], minutes[2]!['statutory_overtime']], ['810', '330']);
    const query = `from=2026-08-31&to=2026-09-02&member_id=${plain.id}&time_format=hhmm`;
    const [, , hours] = await linesIn(app, owner, query);
    assert.deepEqual([hours!['worked'], hours!['statutory_overtime']], ['13:30', '05:30']);
  });

  test('in Japanese as Shift_JIS, which iconv reads; in UTF-8 with its mark unless said', async () => {
    const { bytes, headers } = await fileOf(app, owner, `csv?month=${MONTH}&encoding=shift_jis`);
    assert.match(headers.get('content-type')!, /charset=Shift_JIS/);
    const text = execFileSync('iconv', ['-f', 'CP932', '-t', 'UTF-8'], { input: bytes, encoding: 'utf8' });
    const [line] = linesOf(text).filter(({ 氏名 }) => 氏名 === `'=髙﨑 "夜"`);
    assert.deepEqual([line!['曜日'], line!['勤務区分'], line!['出勤']], ['火', '平日', '17:00']);
    const leave = linesOf(text).map((one) => one['休暇種別']);
    assert.ok(leave.includes('病気休暇') && leave.includes('忌引休暇（午前）'));
    const marked = (await fileOf(app, owner, `csv?month=${MONTH}`)).bytes.toString();
    assert.ok(marked.startsWith('\ufeff社員番号,氏名,部署,役職,日付,曜日,'), marked.slice(0, 80));
    assert.ok(!marked.replaceAll('\r\n', '').includes('\r'));
  });

  test('a file stays the same until something changes that it shows', async () => {
    const tagOf = async () =>
      (await fileOf(app, owner, `csv?month=${MONTH}&unit=monthly`)).headers.get('etag');
    const first = await tagOf();
    assert.equal(await tagOf(), first);
    await owner.send('PATCH', `/attendance/org/departments/${department.id}`, { name: '営業"部",第二' });
    const renamed = await tagOf();
    assert.notEqual(renamed, first);
    await owner.send('PATCH', `/attendance/org/departments/${department.id}`, { name: '営業"部",第一' });
    assert.notEqual(await tagOf(), renamed);
  });

  test('who asks gets what they see: a manager the team, a member the own days', async () => {
    const manager = await owner.colleague('manager');
    await owner.send('PATCH', `/attendance/org/departments/${department.id}`, {
      manager_member_id: manager.member_id,
    });
    const namesOf = async (client: Workplace, query: string) =>
      (await linesIn(app, client, `month=${MONTH}&unit=monthly&${query}`)).map(({ name }) => name);
    assert.equal((await namesOf(manager, '')).length, 2);
    assert.deepEqual(await namesOf(manager, `department_id=${department.id}`), [`'=髙﨑 "夜"`]);
    const member = await owner.colleague('member');
    assert.equal((await namesOf(member, '')).length, 1);
    assert.deepEqual(await namesOf(member, `member_id=${night.id}`), []);
    const { status } = await download(app, member as never, `/attendance/exports/pdf?member_id=${night.id}`);
    assert.equal(status, 404);
  });

  test('a confirmed month is written as it was confirmed, with the name of who confirmed it', async () => {
    const shop = await newWorkplace(app);
    const { id: member_id } = await shop.person({ employee_code: 'S-1', hired_on: '2026-09-01' });
    const asked = { member_id, month: MONTH, accept_absences: true };
    const { submission } = await shop.done('POST', '/submissions', asked);
    const lineOf = async (query: string) => {
      const lines = await linesIn(app, shop, `month=${MONTH}&member_id=${member_id}&${query}`);
      return lines[query === '' ? 1 : 0]!;
    };
    const [open, month] = [await lineOf(''), await lineOf('unit=monthly')];
    assert.deepEqual(
      [open['work_date'], open['day_type'], open['approved_by']],
      ['2026-09-02', 'workday', ''],
    );
    await shop.done('POST', `/submissions/${submission.id}/confirm`, {});
    await shop.done('POST', '/settings/holidays', { date: '2026-09-02', name: '創立記念日' });
    const confirmed = await lineOf('');
    assert.equal(confirmed['day_type'], 'workday');
    assert.notEqual(confirmed['approved_by'], '');
    assert.deepEqual(await lineOf('unit=monthly'), month);
    const [page] = readPdf(
      (await fileOf(app, shop, `pdf?month=${MONTH}&member_id=${member_id}`)).bytes,
    ).layout();
    assert.ok(page!.includes('確定') && page!.includes(confirmed['approved_by']!), page!);
  });

  test('422 at its parameter for a month with days, half of a span, one backwards or too long', async () => {
    const faultOf = async (query: string) => {
      const { status, body } = await owner.get(`/attendance/exports/csv?${query}`);
      return [status, body.errors?.[0]?.path];
    };
    assert.deepEqual(await faultOf('month=2026-13'), [422, 'month']);
    assert.deepEqual(await faultOf('month=2026-09&from=2026-09-01&to=2026-09-02'), [422, 'month']);
    assert.deepEqual(await faultOf('from=2026-09-01'), [422, 'to']);
    assert.deepEqual(await faultOf('to=2026-09-01'), [422, 'from']);
    assert.deepEqual(await faultOf('from=2026-09-02&to=2026-09-01'), [422, 'from']);
    assert.deepEqual(await faultOf('from=2025-01-01&to=2026-09-01'), [422, 'to']);
  });
});

describe('GET /attendance/exports/pdf', () => {
  test('a page a member and month, whose fonts are embedded, in the order of the code', async () => {
    const { bytes, headers } = await fileOf(app, owner, `pdf?month=${MONTH}`);
    assert.equal(headers.get('content-type'), 'application/pdf');
    const pdf = readPdf(bytes);
    assert.ok(pdf.check());
    assert.ok(pdf.fonts().every(({ embedded }) => embedded === 'yes'));
    const pages = pdf.layout();
    const of = await linesIn(app, owner, `month=${MONTH}&unit=monthly`);
    assert.equal(pages.length, of.length);
    for (const [place, { employee_code, name }] of of.entries()) {
      assert.ok(pages[place]!.includes(`${employee_code}`) && pages[place]!.includes('2026年9月'));
      assert.ok(pages[place]!.includes(name!.replace(/^'/, '')), pages[place]!);
    }
  });

  test('a page has every figure of the monthly report, and every day', async () => {
    const { items } = (await owner.get(`/attendance/reports/monthly?month=${MONTH}`)).body;
    const { bytes } = await fileOf(app, owner, `pdf?month=${MONTH}&lang=en`);
    const pages = readPdf(bytes).layout();
    for (const [place, { totals, limits }] of items.entries()) {
      const words = new Set(pages[place]!.split(/\s+/));
      const figures = [
        ...Object.entries(totals).flatMap(([name, value]) => (name.endsWith('_minutes') ? [value] : [])),
        limits.year_overtime_minutes,
        limits.month_total_minutes,
        limits.projected_month_end_minutes,
        limits.minutes_left,
        ...Object.values(limits.averages),
        ...limits.tests.flatMap(({ used_minutes, limit_minutes, left_minutes }: Record<string, number>) => [
          used_minutes,
          limit_minutes,
          left_minutes,
        ]),
      ] as number[];
      for (const minutes of figures) {
        assert.ok(words.has(hoursAndMinutes(minutes)), `${minutes}: ${pages[place]}`);
      }
      const counts = [
        totals.workdays,
        totals.attended_days,
        totals.absence_days,
        limits.months_over_45h,
        ...Object.values(totals.leave_days),
      ];
      for (const count of counts) assert.ok(words.has(String(count)), `${count}: ${pages[place]}`);
      for (let day = 1; day <= 30; day += 1) assert.ok(words.has(`09/${String(day).padStart(2, '0')}`));
    }
    assert.match(pages[0]!, /Status +Open +Approver/, 'a head in one line: more would be cut off');
    assert.match(pages[1]!, /Sick leave +2/);
    assert.match(pages[1]!, /26:30/);
  });
});
