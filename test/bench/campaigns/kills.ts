import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../support/until.ts';
import { startSink } from './bench-sink.ts';
import { openOffice } from './office.ts';

const RECIPIENTS = Number(process.env['BENCH_AMOUNT'] ?? 100_000);
const KILLS = Number(process.env['BENCH_KILLS'] ?? 5);
const CONNECTIONS = 5;

/** Two processes of workers send to a server that refuses and hangs up for some; one of them is killed at random moments. */
export async function kills(): Promise<string> {
  const sink = await startSink({ with_faults: true });
  const office = await openOffice(RECIPIENTS);
  const start = () =>
    office.startWorkers({
      SMTP_URL: sink.url,
      MAIL_CONNECTIONS: String(CONNECTIONS),
    });
  const workers = [await start(), await start()];
  const id = await office.send();
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const some = Math.ceil(((kill - Math.random()) / (KILLS + 1)) * RECIPIENTS);
    await until('some were taken', async () => (await sink.ask('count')).count >= some, 3_600_000);
    const killed = workers.shift()!;
    process.kill(killed.pid, 'SIGKILL');
    workers.push(await start());
    await pause(Math.random() * 1_000);
  }
  await office.database.withConnection('*', ({ query }) =>
    query(
      `UPDATE mail_campaign_recipients SET next_attempt_at = now() WHERE campaign_id = $1 AND status = 'queued'
        AND next_attempt_at IS NOT NULL`,
      [id],
    ),
  );
  await office.untilSent(id);
  for (const each of workers) await each.stop();
  const { taken, count } = await sink.ask('report');
  const rows = await office.database.withConnection('*', ({ query }) =>
    query<{ email: string; status: string }>(
      'SELECT email, status FROM mail_campaign_recipients WHERE campaign_id = $1',
      [id],
    ),
  );
  const twice = Object.entries(taken).filter(([, times]) => times > 1);
  assert.deepEqual(twice, [], 'a recipient twice');
  const of = (status: string) => rows.filter((row) => row.status === status);
  const cut = of('unknown').filter(({ email }) => Number(/\d+/.exec(email)![0]) % 50 === 10).length;
  const unknown = of('unknown').length - cut;
  assert.ok(unknown <= 4 * CONNECTIONS * KILLS, `${unknown} are unknown`);
  for (const { email } of of('sent')) assert.equal(taken[email], 1, email);
  for (const { email } of [...of('failed'), ...of('skipped')]) assert.equal(taken[email], undefined, email);
  const atSink = of('unknown').filter(({ email }) => taken[email] === 1).length;
  assert.equal(of('sent').length + atSink, count);
  const { stats } = (await office.call('GET', `/mail/campaigns/${id}`)).campaign;
  const states = ['queued', 'sending', 'sent', 'failed', 'skipped', 'unknown'];
  for (const status of states) assert.equal(stats[status], of(status).length, `stats say so many ${status}`);
  assert.equal(stats.recipients, rows.length);
  assert.equal(stats.hard_bounces, of('failed').length);
  sink.stop();
  await office.close();
  return [
    '| kills | at the server | sent | failed | unknown by kills | aim | unknown by the server |',
    '|---|---|---|---|---|---|---|',
    `| ${KILLS} | ${count} | ${of('sent').length} | ${of('failed').length} | ${unknown} | ${4 * CONNECTIONS * KILLS} | ${cut} |`,
  ].join('\n');
}
