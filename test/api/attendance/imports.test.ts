import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import iconv from 'iconv-lite';
import { startApp } from '../../support/app.ts';
import { newWorkplace, type Workplace } from '../../support/attendance.ts';
import { confirmedMonth, newClosingOffice } from '../../support/closing.ts';
import { dayFaultsOf, endOfDays, importedDays, revertedDays, sessionsOn } from '../../support/day-imports.ts';
import { toldSoFar } from '../../support/facts.ts';
import { formWith } from '../../support/uploads.ts';
import { startWorkers } from '../../support/workers.ts';

const app = await startApp();
await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir }, [
  '--queues',
  'csv-import,report-export',
]);

const HEAD = 'employee_code,work_date,clock_in,clock_out,breaks';
const file = (...rows: string[]) => [HEAD, ...rows].join('\r\n');

/** An owner, and people with these codes by their codes. */
async function workplaceWith<Code extends string>(
  ...codes: Code[]
): Promise<[Workplace, Record<Code, string>]> {
  const place = await newWorkplace(app);
  const ids = {} as Record<Code, string>;
  for (const employee_code of codes) ids[employee_code] = (await place.person({ employee_code })).id;
  return [place, ids];
}

describe('an import of days', () => {
  test('replaces each day of the file with all of its rows, wherever they stand, and leaves the others', async () => {
    const [place, { E1, E2 }] = await workplaceWith('E1', 'E2');
    const old = [{ clock_in_at: '2026-11-02T00:00:00.000Z', clock_out_at: '2026-11-02T01:00:00.000Z' }];
    await place.done('PUT', `/records/${E1}/2026-11-02`, { sessions: old });
    await place.done('PUT', `/records/${E1}/2026-11-05`, {
      sessions: [{ clock_in_at: '2026-11-05T00:00:00.000Z', clock_out_at: '2026-11-05T01:00:00.000Z' }],
    });
    const done = await importedDays(
      place,
      file(
        'E1,2026-11-02,9:00,12:00,',
        'E2,2026/11/2,22:00,30:00,25:00-26:00',
        'E1,20261103,09:00,18:00,12:00-13:00;15:00-15:15',
        'E1,2026年11月2日(月),13:00,17:30,',
        'E1,2026-11-04,,,',
      ),
    );
    const { status, day_count, created_count, updated_count, skipped_count, error_count } = done;
    assert.deepEqual(
      { status, day_count, created_count, updated_count, skipped_count, error_count },
      {
        status: 'completed',
        day_count: 3,
        created_count: 2,
        updated_count: 2,
        skipped_count: 1,
        error_count: 0,
      },
    );
    assert.deepEqual(await sessionsOn(place, E1, '2026-11-02'), ['09:00-12:00', '13:00-17:30']);
    assert.deepEqual(await sessionsOn(place, E1, '2026-11-03'), ['09:00-18:00 (12:00-13:00) (15:00-15:15)']);
    assert.deepEqual(await sessionsOn(place, E1, '2026-11-05'), ['09:00-10:00']);
    assert.deepEqual(await sessionsOn(place, E2, '2026-11-02'), ['22:00-06:00 (01:00-02:00)']);
    const { record } = await place.done('GET', `/records/${E1}/2026-11-02`);
    assert.deepEqual(
      record.revisions.map(({ source, version }: { source: string; version: number }) => [source, version]),
      [
        ['put', 1],
        ['import', 2],
      ],
    );
    assert.equal(record.worked_minutes, 450);
    const { audit } = await toldSoFar(app, place.organization_id);
    const told = audit.filter(({ entity_type }) => entity_type === 'record' || entity_type === 'import');
    assert.deepEqual(told.map(({ action, entity_type }) => `${action} ${entity_type}`).toSorted(), [
      'create import',
      'create record',
      'create record',
      'create record',
      'create record',
      'update record',
    ]);
    const again = await importedDays(place, file('E1,2026-11-03,9:00,18:00,15:00-15:15;12:00-13:00'));
    assert.deepEqual([again.unchanged_count, again.day_count], [1, 0]);
  });

  test('reads files as Excel and other programs save them', async () => {
    const [place, { E1, 山田 }] = await workplaceWith('E1', '山田');
    const excel = '\ufeff社員番号,日付,出勤,退勤,休憩\r\nE1,2026/11/2,9:00,18:00,12:00-13:00\r\n';
    const marked = await importedDays(place, Buffer.from(excel));
    assert.deepEqual([marked.encoding, marked.day_count], ['utf-8', 1]);
    const other =
      '従業員コード\t氏名\t勤務日\t出勤時刻\t退勤時刻\t休憩\r\n山田\t山田 花子\t2026年11月2日\t9時00分\t翌1:30\t１２：００～１３：００\r\n';
    const old = await importedDays(place, iconv.encode(other, 'cp932'));
    assert.deepEqual([old.encoding, old.delimiter, old.day_count], ['shift_jis', 'tab', 1]);
    assert.deepEqual(await sessionsOn(place, E1, '2026-11-02'), ['09:00-18:00 (12:00-13:00)']);
    assert.deepEqual(await sessionsOn(place, 山田, '2026-11-02'), ['09:00-01:30 (12:00-13:00)']);
  });

  test('takes a newest day without end as one that runs', async () => {
    const [place, { E1 }] = await workplaceWith('E1');
    const begun = new Date(Date.now() - 3_600_000).toISOString().slice(0, 16);
    const local = new Date(Date.parse(`${begun}Z`) + 9 * 3_600_000).toISOString();
    await importedDays(place, file(`E1,${local.slice(0, 10)},${local.slice(11, 16)},,`));
    const { status } = await place.done('GET', `/punches/status?member_id=${E1}`);
    assert.equal(status.session_started_at, `${begun}:00.000Z`);
  });

  test('counts and judges in a dry run, and writes nothing', async () => {
    const [place, { E1 }] = await workplaceWith('E1');
    const done = await importedDays(place, file('E1,2026-11-02,9:00,18:00,', 'E9,2026-11-02,9:00,18:00,'), {
      dry_run: 'true',
    });
    assert.deepEqual([done.created_count, done.error_count, done.day_count], [1, 1, 1]);
    assert.deepEqual(await sessionsOn(place, E1, '2026-11-02'), []);
  });

  test('reads times by the clock of the organization, also on the night when it changes', async () => {
    const [place, { E1 }] = await workplaceWith('E1');
    await place.done('PATCH', '/settings', { time_zone: 'America/New_York', effective_from: '2026-10-01' });
    await importedDays(
      place,
      file('E1,2026-11-01,0:00,6:00,', 'E1,2026-10-30,22:00,25:30,', 'E1,2026-10-31,22:00,24:00,'),
    );
    const { record } = await place.done('GET', `/records/${E1}/2026-11-01`);
    assert.deepEqual(
      [record.presence_minutes, record.sessions[0].clock_in_at],
      [420, '2026-11-01T04:00:00.000Z'],
    );
    const before = await place.done('GET', `/records/${E1}/2026-10-30`);
    assert.equal(before.record.sessions[0].clock_out_at, '2026-10-31T05:30:00.000Z');
  });
});

describe('a fault', () => {
  test('keeps its whole day out, wherever the rows stand, and is told with it', async () => {
    const [place, { E1 }] = await workplaceWith('E1');
    await place.person({ employee_code: 'E2', hired_on: '2026-11-10' });
    const done = await importedDays(
      place,
      file(
        'E1,2026-11-02,9:00,12:00,',
        'E1,2026-11-03,9:00,18:00,',
        'E9,2026-11-02,9:00,18:00,',
        'E2,2026-11-09,9:00,18:00,',
        'E1,2026-11-04,18:00,9:00,',
        'E1,2026-11-05,9:00,18:00,8:00-9:30',
        'E1,2026-11-06,22:00,33:00,',
        'E1,2026-11-07,8:30,12:00,',
        'E1,2026-11-08,,18:00,',
        'E1,2026-11-09,9:00,12:00,',
        'E1,2026-11-09,11:00,13:00,',
        'E1,2026-11-10,9:00,,',
        'E1,2026-11-02,13:00,48:00,',
        ',2026-11-02,13:00,18:00,',
        'E1,11/2,13:00,18:00,',
        'E1,2026-11-11,9:00,12:00,,x',
        'E1,2026-11-11,13:00,17:00,',
        'E1,2026-11-12,9:00,18:00,1:00',
        'E1,2026-11-13,9:00,18:00,',
      ),
    );
    assert.deepEqual(await dayFaultsOf(place, done.id), [
      [2, 'faulty_day', null],
      [4, 'unknown_employee', 'employee_code'],
      [5, 'not_employed', 'work_date'],
      [6, 'invalid_time', 'clock_out'],
      [7, 'invalid_time', 'breaks'],
      [9, 'overlap', null],
      [10, 'required', 'clock_in'],
      [11, 'faulty_day', null],
      [12, 'overlap', 'clock_in'],
      [13, 'required', 'clock_out'],
      [14, 'invalid_time', 'clock_out'],
      [15, 'missing_employee_code', 'employee_code'],
      [16, 'unknown_day', 'work_date'],
      [17, 'column_count', null],
      [18, 'faulty_day', null],
      [19, 'invalid_time', 'breaks'],
    ]);
    assert.deepEqual([done.error_count, done.created_count, done.total_rows], [16, 3, 19]);
    assert.deepEqual(await sessionsOn(place, E1, '2026-11-02'), []);
    assert.deepEqual(await sessionsOn(place, E1, '2026-11-03'), ['09:00-18:00']);
    const report = await place.get(`/attendance/imports/${done.id}/errors?format=csv&lang=ja`);
    assert.match(
      report.text,
      /E9,2026-11-02,9:00,18:00,,,4,unknown_employee,.*この社員番号のメンバーがいません/,
    );
  });

  test('is another date in the same time, where that stays as it is; none where the file changes both', async () => {
    const [place, { E1 }] = await workplaceWith('E1');
    const night = [{ clock_in_at: '2026-11-03T13:00:00.000Z', clock_out_at: '2026-11-04T01:00:00.000Z' }];
    await place.done('PUT', `/records/${E1}/2026-11-03`, { sessions: night });
    const done = await importedDays(place, file('E1,2026-11-04,9:30,18:00,', 'E1,2026-11-05,9:30,18:00,'));
    assert.deepEqual(await dayFaultsOf(place, done.id), [[2, 'overlap', null]]);
    const both = await importedDays(place, file('E1,2026-11-04,9:30,18:00,', 'E1,2026-11-03,9:00,18:00,'));
    assert.deepEqual([both.error_count, both.day_count], [0, 2]);
  });

  test('is month_locked for a day of a closed month, and for a revert of one', async () => {
    const office = await newClosingOffice(app);
    const { owner, member } = office;
    await owner.done('PATCH', `/members/${member.member_id}`, { employee_code: 'E1' });
    const before = await importedDays(owner, file('E1,2026-10-05,9:00,18:00,'));
    await confirmedMonth(office, '2026-10');
    const done = await importedDays(owner, file('E1,2026-10-05,9:00,19:00,', 'E1,2026-11-04,9:00,18:00,'));
    assert.deepEqual(await dayFaultsOf(owner, done.id), [[2, 'month_locked', 'work_date']]);
    assert.equal(done.day_count, 1);
    const { revert } = await revertedDays(owner, before.id);
    assert.deepEqual([revert.deleted_count, revert.left_count], [0, 1]);
    assert.deepEqual(await sessionsOn(owner, member.member_id, '2026-10-05'), ['09:00-18:00']);
  });

  test('is role_required for managers and members, also of what others imported', async () => {
    const [place] = await workplaceWith('E1');
    const { id } = await importedDays(place, file('E1,2026-11-02,9:00,18:00,'));
    const manager = await place.colleague('manager');
    const codes = [];
    for (const reply of [
      await manager.post('/attendance/imports', formWith(file('E1,2026-11-02,9:00,18:00,'))),
      await manager.get('/attendance/imports'),
      await manager.get(`/attendance/imports/${id}`),
      await manager.get(`/attendance/imports/${id}/errors`),
      await manager.post(`/attendance/imports/${id}/revert`),
    ]) {
      codes.push([reply.status, reply.body.code]);
    }
    assert.deepEqual(
      codes,
      codes.map(() => [403, 'role_required']),
    );
    const admin = await place.colleague('admin');
    assert.equal((await admin.get(`/attendance/imports/${id}`)).status, 200);
  });
});

describe('a revert', () => {
  test('puts back the days that nobody has touched since, and counts the others', async () => {
    const [place, { E1, E2 }] = await workplaceWith('E1', 'E2');
    const early = [{ clock_in_at: '2026-11-02T00:00:00.000Z', clock_out_at: '2026-11-02T01:00:00.000Z' }];
    await place.done('PUT', `/records/${E1}/2026-11-02`, { sessions: early });
    const { id } = await importedDays(
      place,
      file('E1,2026-11-02,13:00,18:00,', 'E1,2026-11-03,9:00,18:00,', 'E2,2026-11-02,9:00,18:00,'),
    );
    const later = [{ clock_in_at: '2026-11-02T02:00:00.000Z', clock_out_at: '2026-11-02T03:00:00.000Z' }];
    await place.done('PUT', `/records/${E2}/2026-11-02`, { sessions: later });
    const { status, revert } = await revertedDays(place, id);
    assert.deepEqual(
      [status, revert],
      ['reverted', { deleted_count: 1, restored_count: 1, removed_membership_count: 0, left_count: 1 }],
    );
    assert.deepEqual(await sessionsOn(place, E1, '2026-11-02'), ['09:00-10:00']);
    assert.deepEqual(await sessionsOn(place, E1, '2026-11-03'), []);
    assert.deepEqual(await sessionsOn(place, E2, '2026-11-02'), ['11:00-12:00']);
    const { record } = await place.done('GET', `/records/${E1}/2026-11-02`);
    assert.deepEqual([record.revisions.at(-1).source, record.version], ['revert', 3]);
  });

  test('is not needed beside another import: of two at once each day is that of the later, whole', async () => {
    const [place, { E1 }] = await workplaceWith('E1');
    const days = Array.from({ length: 20 }, (_, n) => `2026-10-${String(n + 1).padStart(2, '0')}`);
    const of = (from: string) => file(...days.map((date) => `E1,${date},${from},18:00,`));
    const begun = await Promise.all(
      ['8:00', '9:00'].map((from) => place.post('/attendance/imports', formWith(of(from)))),
    );
    for (const { body } of begun) {
      const done = await endOfDays(place, body.import.id);
      assert.deepEqual([done.status, done.day_count], ['completed', 20]);
    }
    const found = new Set<string>();
    for (const date of days) found.add((await sessionsOn(place, E1, date)).join());
    assert.equal(found.size, 1);
  });
});
