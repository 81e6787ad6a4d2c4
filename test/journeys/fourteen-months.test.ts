import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { openDatabase } from '../../shared/db/database.ts';
import { startEmbedded } from '../../shared/db/embedded.ts';
import { startApi } from '../support/api.ts';
import { type Client, clientOf } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { libfaketime, movedClock } from '../support/moved-clock.ts';
import { cookieOf, newEmail, PASSWORD } from '../support/people.ts';
import { preparedFolder } from '../support/prepared-folder.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

/** Each step of the test is a time of the organization's clock. */
const tokyo = (time: string) => `${time}:00+09:00`;

/** The whole service by a clock that the test moves: database, API and workers. */
async function movedService() {
  const clock = movedClock();
  clock.setTime(tokyo('2026-03-31T10:00'));
  const folder = await preparedFolder();
  const server = await startEmbedded({
    dataDir: folder,
    log: () => {},
    settings: { fsync: 'off' },
    environment: clock.environment,
  });
  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const database = openDatabase({ url: server.url, pool_size: 1 });
  after(() => database.end());
  const port = await freePort();
  const own = { DATABASE_URL: server.url, DATA_DIR: folder, ...clock.environment };
  await startApi(port, own);
  await startWorkers(own, ['--queues', 'report-export,email']);
  const base_url = `http://127.0.0.1:${port}`;
  /** Moves the clock, and waits until the API goes by it. */
  const moveTo = async (time: string) => {
    clock.setTime(tokyo(time));
    await until(`it is ${time}`, async () => {
      const { headers } = await fetch(`${base_url}/healthz`);
      const away = Date.parse(headers.get('date')!) - Date.parse(tokyo(time));
      return away >= -1_000 && away < 86_400_000;
    });
  };
  /** Waits until the daily runs of that time are done. */
  const dailyRunsAt = (time: string) =>
    until(`the daily runs of ${time} are done`, async () => {
      const left = await database.withConnection('*', ({ query }) =>
        query(
          `SELECT FROM attendance_daily_runs WHERE due_at <= $1
           UNION ALL SELECT FROM outbox WHERE name = 'attendance.daily'`,
          [tokyo(time)],
        ),
      );
      return left.length === 0;
    });
  return { base_url, moveTo, dailyRunsAt };
}

/** An owner with a key, and their organization. */
async function founded(base_url: string): Promise<Client> {
  const anonymous = clientOf(base_url, {});
  const person = { name: '青葉 花子', email: newEmail(), password: PASSWORD };
  const browser = clientOf(base_url, {
    Cookie: cookieOf(await anonymous.post('/auth/sign-up/email', person)),
  });
  assert.equal((await browser.post('/organizations', { name: '株式会社青葉珈琲' })).status, 201);
  const { body } = await browser.post('/api-keys', { name: 'attendance' });
  return clientOf(base_url, { Authorization: `Bearer ${body.secret}` });
}

describe('fourteen months of a company', {
  skip: libfaketime ? false : 'libfaketime is not installed',
}, () => {
  test('bring grants, lapses, ends and closings, each on its day of the local clock', async () => {
    const { base_url, moveTo, dailyRunsAt } = await movedService();
    const api = await founded(base_url);
    const done = async (method: string, path: string, body?: unknown) => {
      const reply = await api.send(method, `/attendance${path}`, body);
      assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`);
      return reply.body;
    };
    const person = async (name: string, fields: object): Promise<string> =>
      (await done('POST', '/members', { name, ...fields })).member.id;
    const balance = async (member_id: string, type = 'paid_annual') =>
      (await done('GET', `/leave-balances?member_id=${member_id}&type=${type}`)).items[0];
    const granted = async (member_id: string) => {
      const { grants } = await balance(member_id);
      return grants.map((grant: { granted_on: string; days: number; expires_on: string | null }) => {
        return [grant.granted_on, grant.days, grant.expires_on];
      });
    };
    const submit = (member_id: string, month: string) =>
      api.post('/attendance/submissions', { member_id, month, accept_absences: true });

    const spring = await person('佐藤 春', { hired_on: '2025-10-01' });
    const late = await person('鈴木 暦', { hired_on: '2025-08-29' });
    const leaving = await person('高橋 去', { hired_on: '2024-05-01', left_on: '2026-06-30' });
    await done('POST', '/leave-balances', {
      member_id: late,
      type: 'special',
      days: 2,
      granted_on: '2026-03-31',
      expires_on: '2026-04-30',
    });

    // Six months after the hire, from half past midnight on.
    await moveTo('2026-04-01T00:05');
    assert.deepEqual(await granted(spring), []);
    await moveTo('2026-04-01T00:31');
    await dailyRunsAt('2026-04-01T00:31');
    assert.deepEqual(await granted(spring), [['2026-04-01', 10, '2028-03-31']]);
    assert.deepEqual(await granted(late), []);

    // A grant holds to the end of its last day, and a period may be submitted on its last one.
    await moveTo('2026-04-29T23:50');
    assert.equal((await submit(late, '2026-04')).body.code, 'period_open');
    await moveTo('2026-04-30T23:50');
    assert.equal((await balance(late, 'special')).total_remaining_days, 2);
    assert.equal((await submit(late, '2026-04')).status, 201);
    await moveTo('2026-05-01T00:00');
    const [lapsed] = (await balance(late, 'special')).grants;
    assert.equal((await balance(late, 'special')).total_remaining_days, 0);
    assert.deepEqual([lapsed.remaining_days, lapsed.lapsed_days], [0, 2]);

    // The month that is submitted is locked, the next one is not.
    const punch = (occurred_at: string) =>
      api.post('/attendance/punches', { member_id: late, type: 'clock_in', occurred_at: tokyo(occurred_at) });
    assert.equal((await punch('2026-04-30T09:00')).body.code, 'month_locked');
    await moveTo('2026-05-07T09:00');
    assert.equal((await punch('2026-05-07T09:00')).status, 201);
    const status = async () => (await done('GET', `/punches/status?member_id=${late}`)).status.state;
    await moveTo('2026-05-08T08:59');
    assert.equal(await status(), 'working');
    await moveTo('2026-05-08T09:02');
    assert.equal(await status(), 'off_duty');
    const { record } = await done('GET', `/records/${late}/2026-05-07`);
    assert.ok(record.alerts.includes('missing_clock_out'), record.alerts);
    await done('PUT', `/records/${late}/2026-05-07`, {
      sessions: [
        { clock_in_at: tokyo('2026-05-07T09:00'), clock_out_at: tokyo('2026-05-07T18:00'), breaks: [] },
      ],
      reason: '退勤の打刻忘れ',
    });

    // Whoever leaves is active on the last day, and has left after it.
    const statusOf = async (id: string) => (await done('GET', `/members/${id}`)).member.status;
    await moveTo('2026-06-30T23:50');
    assert.equal(await statusOf(leaving), 'active');
    await moveTo('2026-07-01T00:31');
    await dailyRunsAt('2026-07-01T00:31');
    assert.equal(await statusOf(leaving), 'left');

    // Each month is closed after the one before, after a pause of weeks in which nothing ran.
    const months = ['04', '05', '06', '07', '08', '09', '10', '11', '12', '01', '02', '03'];
    for (const [index, number] of months.entries()) {
      const month = `${index < 9 ? 2026 : 2027}-${number}`;
      const next = Temporal.PlainYearMonth.from(month).add({ months: 1 }).toString();
      if (next > '2026-06') await moveTo(`${next}-01T00:31`);
      await dailyRunsAt(`${next}-01T00:31`);
      // 18 months after 29 August are 29 February, which 2027 lacks: the day after, and after 00:30.
      if (next === '2027-03') assert.deepEqual(await granted(late), [['2027-03-01', 0, null]]);
      const submitted = await submit(late, month);
      assert.equal(submitted.status, index === 0 ? 409 : 201, submitted.text);
      const [{ id }] = (await done('GET', `/submissions?member_id=${late}&month=${month}`)).items;
      assert.equal((await done('POST', `/submissions/${id}/confirm`)).submission.status, 'confirmed');
    }

    // A year later, by the attendance of that year: nobody recorded a day, which is no absence that is known.
    await moveTo('2027-05-31T12:00');
    await dailyRunsAt('2027-05-31T12:00');
    assert.deepEqual(await granted(spring), [
      ['2026-04-01', 10, '2028-03-31'],
      ['2027-04-01', 11, '2029-03-31'],
    ]);
    assert.deepEqual(await granted(leaving), []);
    assert.equal((await submit(spring, '2027-05')).status, 201);
  });
});
