import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rulesOf } from '../../../../shared/attendance/days/rules.ts';
import { Calendars } from '../../../../shared/attendance/records/calendars.ts';
import { member, organization } from '../../../support/attended-days.ts';

const dates = { from: '2026-11-01', to: '2026-11-30' };
const away = (request_id: string, date: string) =>
  member({
    leave: [{ date, request_id, type: 'paid_annual', unit: 'full', start_time: null, hours: null }],
  });

test('members whose leave alone differs share the days that have no leave', () => {
  const calendars = new Calendars(rulesOf(organization()), dates);
  const [one, other] = [away('lreq_1', '2026-11-04'), away('lreq_2', '2026-11-05')];
  assert.equal(calendars.withoutLeave(one), calendars.withoutLeave(other));
  assert.notEqual(calendars.of(one), calendars.of(other));
});

test('leave decides neither the type of a day nor who is employed on it', () => {
  const calendars = new Calendars(rulesOf(organization()), dates);
  const one = { ...away('lreq_1', '2026-11-04'), hired_on: '2026-11-03', left_on: '2026-11-20' };
  const decided = (days: ReturnType<typeof calendars.of>['days']) =>
    days.map(({ work_date, day_type, work_system, is_employed }) => [
      work_date,
      day_type,
      work_system,
      is_employed,
    ]);
  assert.equal(calendars.of(one).by_date.get('2026-11-04')!.leave.length, 1);
  assert.deepEqual(decided(calendars.withoutLeave(one).days), decided(calendars.of(one).days));
});
