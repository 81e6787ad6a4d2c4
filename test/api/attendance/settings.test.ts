import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newWorkplace, type Workplace } from '../../support/attendance.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';

const NOW = new Date('2026-11-24T03:00:00Z');
const app = await startApp({ now: () => NOW });

const settings = async (client: Workplace, query = '') =>
  (await client.get(`/attendance/settings${query}`)).body.settings;

describe('settings', () => {
  test('are the defaults of the law where nobody has changed any', async () => {
    const shown = await settings(await newWorkplace(app));
    assert.deepEqual(
      [shown.as_of, shown.effective_from, shown.time_zone, shown.closing_day, shown.weekly_statutory_minutes],
      ['2026-11-24', null, 'Asia/Tokyo', 'end', 2400],
    );
    assert.deepEqual(
      [shown.agreements, shown.rounding_unfavourable, shown.night_window],
      [[], false, ['22:00', '05:00']],
    );
  });

  test('change from the start of the running period on, or from the day that is said, with one audit entry', async () => {
    const owner = await newWorkplace(app);
    const told = await toldBy(app, owner.organization_id, () =>
      owner.done('PATCH', '/settings', { break_mode: 'auto_schedule', leave: { hourly_enabled: true } }),
    );
    assert.deepEqual(
      told.audit.map(({ entity_type, changes }) => [entity_type, Object.keys(changes).sort()]),
      [['settings', ['break_mode', 'effective_from', 'leave']]],
    );
    const shown = await settings(owner);
    assert.deepEqual(
      [shown.effective_from, shown.break_mode, shown.leave],
      ['2026-11-01', 'auto_schedule', { auto_grant: true, hourly_enabled: true }],
    );
    assert.equal((await settings(owner, '?as_of=2026-10-31')).break_mode, 'punch');
    const later = await owner.done('PATCH', '/settings', {
      effective_from: '2027-01-01',
      rounding: { unit_minutes: 15, clock_in: 'ceil' },
    });
    assert.deepEqual(
      [later.job, later.settings.as_of, later.settings.rounding_unfavourable],
      [null, '2027-01-01', true],
    );
    assert.deepEqual((await settings(owner)).rounding.unit_minutes, 1);
    await owner.done('PATCH', '/settings', {
      effective_from: '2026-12-01',
      rounding: { break_end: 'floor' },
    });
    assert.deepEqual((await settings(owner, '?as_of=2027-01-01')).rounding, {
      unit_minutes: 15,
      clock_in: 'ceil',
      clock_out: 'none',
      break_start: 'none',
      break_end: 'floor',
    });
  });

  test('begin with the period that the closing day makes', async () => {
    const owner = await newWorkplace(app);
    await owner.done('PATCH', '/settings', { effective_from: '2026-01-01', closing_day: 20 });
    await owner.done('PATCH', '/settings', { week_starts_on: 'monday' });
    assert.equal((await settings(owner)).effective_from, '2026-11-21');
  });

  test('that are the same again change nothing', async () => {
    const owner = await newWorkplace(app);
    const told = await toldBy(app, owner.organization_id, async () => {
      const same = await owner.done('PATCH', '/settings', { break_mode: 'punch', location: 'off' });
      assert.equal(same.job, null);
    });
    assert.deepEqual(told.audit, []);
  });

  test('hold agreements, replaced whole, none looser than the law', async () => {
    const owner = await newWorkplace(app);
    const { settings: first } = await owner.done('PATCH', '/settings', {
      agreements: [{ effective_from: '2026-04-01', month_limit_minutes: 1800 }],
    });
    assert.deepEqual(first.agreements, [
      {
        effective_from: '2026-04-01',
        year_start_month: 4,
        special_clause: false,
        month_limit_minutes: 1800,
        year_limit_minutes: 21600,
        special_year_limit_minutes: 43200,
        special_month_count: 6,
      },
    ]);
    await owner.done('PATCH', '/settings', { agreements: [] });
    assert.deepEqual((await settings(owner)).agreements, []);
    for (const [field, value] of [
      ['month_limit_minutes', 2701],
      ['year_limit_minutes', 21601],
      ['special_year_limit_minutes', 43201],
      ['special_month_count', 7],
    ] as const) {
      const reply = await owner.patch('/attendance/settings', {
        agreements: [{ effective_from: '2026-04-01', [field]: value }],
      });
      assert.deepEqual([reply.status, faultsIn(reply.body)], [422, [`/agreements/0/${field} too_large`]]);
    }
    const twice = await owner.patch('/attendance/settings', {
      agreements: [{ effective_from: '2026-04-01' }, { effective_from: '2026-04-01' }],
    });
    assert.deepEqual(faultsIn(twice.body), ['/agreements/1/effective_from duplicate']);
  });

  test('422 at its place for what the law or the clock does not know', async () => {
    const owner = await newWorkplace(app);
    for (const [body, path] of [
      [{ rounding: { unit_minutes: 7 } }, '/rounding/unit_minutes'],
      [{ closing_day: 31 }, '/closing_day'],
      [{ time_zone: 'Asia/Edo' }, '/time_zone'],
      [{ weekly_statutory_minutes: 2500 }, '/weekly_statutory_minutes'],
      [{ day_boundary_time: '12:01' }, '/day_boundary_time'],
      [{ max_session_hours: 49 }, '/max_session_hours'],
      [{ prescribed_holiday_weekdays: ['monday', 'monday'] }, '/prescribed_holiday_weekdays'],
      [{ effective_from: '2026-12-01', location: 'optional' }, '/effective_from'],
    ] as const) {
      const reply = await owner.patch('/attendance/settings', body);
      assert.deepEqual([path, reply.status], [path, 422]);
      assert.ok(
        faultsIn(reply.body).every((fault) => fault.startsWith(path)),
        faultsIn(reply.body).join(),
      );
    }
  });

  test('of two that change different fields at the same time none is lost; If-Match sees a change', async () => {
    const owner = await newWorkplace(app);
    const etag = (await owner.get('/attendance/settings')).headers.get('etag')!;
    await Promise.all([
      owner.done('PATCH', '/settings', { break_mode: 'auto_statutory' }),
      owner.done('PATCH', '/settings', { scheduled_basis: 'window' }),
      owner.done('PATCH', '/settings', { allow_self_approval: true }),
    ]);
    const shown = await settings(owner);
    assert.deepEqual(
      [shown.break_mode, shown.scheduled_basis, shown.allow_self_approval],
      ['auto_statutory', 'window', true],
    );
    const late = await owner.patch('/attendance/settings', { location: 'required' }, { 'If-Match': etag });
    assert.equal(late.status, 412);
  });

  test('change with settings:write alone, and are read by all', async () => {
    const owner = await newWorkplace(app);
    const manager = await owner.colleague('manager');
    assert.equal((await manager.patch('/attendance/settings', { location: 'optional' })).status, 403);
    assert.equal((await (await owner.colleague()).get('/attendance/settings')).status, 200);
  });
});

describe('holidays', () => {
  const listed = async (client: Workplace, query: string) =>
    (await client.get(`/attendance/settings/holidays?limit=200&sort=date:asc&${query}`)).body.items;

  test('national ones are there from 2015 to the last gazetted year, in both languages', async () => {
    const owner = await newWorkplace(app);
    const items = await listed(owner, 'year=2026');
    assert.equal(items.length, 18);
    assert.deepEqual(
      [items[0].date, items[0].name, items[0].name_en, items[0].kind, items[0].counts_as],
      ['2026-01-01', '元日', "New Year's Day", 'national', 'prescribed_holiday'],
    );
    assert.deepEqual(
      items
        .filter(({ date }: { date: string }) => date.startsWith('2026-09'))
        .map(({ date }: { date: string }) => date),
      ['2026-09-21', '2026-09-22', '2026-09-23'],
    );
    assert.deepEqual(
      [(await listed(owner, 'year=2014')).length, (await listed(owner, 'year=2028')).length],
      [0, 0],
    );
    assert.ok((await listed(owner, 'year=2015')).length > 0 && (await listed(owner, 'year=2027')).length > 0);
  });

  test('count as the settings of their day say', async () => {
    const owner = await newWorkplace(app);
    await owner.done('PATCH', '/settings', {
      effective_from: '2026-05-01',
      national_holidays_as: 'legal_holiday',
    });
    const items = await listed(owner, 'year=2026');
    const of = (date: string) => items.find((each: { date: string }) => each.date === date).counts_as;
    assert.deepEqual([of('2026-04-29'), of('2026-05-04')], ['prescribed_holiday', 'legal_holiday']);
  });

  test('of the company stand beside them, one a date, and are found by all three forms of paging', async () => {
    const owner = await newWorkplace(app);
    const { holiday } = await owner.done('POST', '/settings/holidays', {
      date: '2026-12-30',
      name: '年末休業',
      external_id: 'H-1',
    });
    assert.deepEqual(
      [holiday.kind, holiday.counts_as, holiday.source],
      ['company', 'prescribed_holiday', null],
    );
    const again = await owner.post('/attendance/settings/holidays', { date: '2026-12-30', name: '大掃除' });
    assert.deepEqual([again.status, again.body.existing_id], [409, holiday.id]);
    assert.deepEqual(
      (await listed(owner, 'kind=company')).map(({ id }: { id: string }) => id),
      [holiday.id],
    );
    assert.deepEqual((await listed(owner, 'external_id=H-1')).length, 1);
    const overruling = await owner.done('POST', '/settings/holidays', {
      date: '2026-11-23',
      name: '出勤日',
      counts_as: 'workday',
    });
    const both = (await listed(owner, 'year=2026')).filter(
      ({ date }: { date: string }) => date === '2026-11-23',
    );
    assert.deepEqual(both.length, 2);
    const first = (await owner.get('/attendance/settings/holidays?cursor_mode=true&limit=1')).body;
    assert.deepEqual([first.data[0].id, first.has_more], [overruling.holiday.id, true]);
    const seen: string[] = [first.data[0].id];
    for (let last = seen[0]; last !== undefined; ) {
      const page = (await owner.get(`/attendance/settings/holidays?limit=200&starting_after=${last}`)).body;
      seen.push(...page.data.map(({ id }: { id: string }) => id));
      last = page.has_more ? seen.at(-1) : undefined;
    }
    const { total } = (await owner.get('/attendance/settings/holidays?page=1')).body.pagination;
    assert.deepEqual([seen.length, new Set(seen).size], [total, total]);
  });

  test('of the company change and go; national ones stay', async () => {
    const owner = await newWorkplace(app);
    const { holiday } = await owner.done('POST', '/settings/holidays', { date: '2026-12-30', name: '年末' });
    const changed = await owner.done('PATCH', `/settings/holidays/${holiday.id}`, {
      counts_as: 'legal_holiday',
    });
    assert.equal(changed.holiday.counts_as, 'legal_holiday');
    assert.deepEqual(await owner.done('DELETE', `/settings/holidays/${holiday.id}`), {
      success: true,
      job: null,
    });
    assert.equal((await owner.delete(`/attendance/settings/holidays/${holiday.id}`)).status, 404);
    const [national] = await listed(owner, 'year=2026');
    const refused = await owner.delete(`/attendance/settings/holidays/${national.id}`);
    assert.deepEqual([refused.status, refused.body.code], [409, 'national_holiday']);
    const made = await owner.post('/attendance/settings/holidays', {
      date: '2026-12-29',
      kind: 'national',
      name: 'x',
    });
    assert.deepEqual([made.status, faultsIn(made.body)], [422, ['/kind invalid_value']]);
  });
});
