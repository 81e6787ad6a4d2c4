import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { seedMailContacts } from '../../support/many-mail-contacts.ts';
import { newDraft, newSender } from '../../support/sendable-campaigns.ts';
import { countsByStatus, rowsOf, startCampaign } from '../../support/sent-campaigns.ts';
import { smtpSink, type Taken } from '../../support/smtp-sink.ts';
import { until } from '../../support/until.ts';
import { startWorkers } from '../../support/workers.ts';

const CONNECTIONS = 3;
const PER_SECOND = 50;
const PER_HOUR = 500;
const CONTACTS = 400;

const sink = await smtpSink();
const app = await startApp();

/** Workers that call themselves so to the server; they end with the test. */
const start = (name: string) =>
  startWorkers(
    {
      DATABASE_URL: app.database_url,
      SMTP_URL: `${sink.url}/?name=${name}`,
      MAIL_FROM: 'Service <no-reply@example.com>',
      MAIL_CONNECTIONS: String(CONNECTIONS),
    },
    ['--queues', 'campaign'],
  );

/** How many mails began within so many milliseconds from each mail on; the most last. */
function within(span: number, taken: readonly Taken[]): number[] {
  const times = taken.map(({ begun_at }) => begun_at).sort((one, other) => one - other);
  let behind = 0;
  const counts = times.map((time, index) => {
    while (behind < times.length && times[behind]! < time + span) behind += 1;
    return behind - index;
  });
  return counts.sort((one, other) => one - other);
}

test('the limits of an organization hold over its campaigns in two worker processes, in every second and every hour', async () => {
  const names = ['one.example', 'two.example'];
  const workers = await Promise.all(names.map(start));
  const { client, list_id } = await newSender(app, []);
  const throttle = { per_second: PER_SECOND, per_hour: PER_HOUR };
  const settings = await client.patch('/mail/settings', { throttle });
  assert.equal(settings.status, 200, settings.text);
  await seedMailContacts(app.database, client.actor.organization_id, CONTACTS, { list_id, indexed: false });
  const send = async () => {
    const path = await newDraft(client, { list_ids: [list_id], purpose: 'notice' });
    const sent = await client.post(`${path}/send`, {});
    assert.equal(sent.status, 202, sent.text);
    return sent.body.campaign.id as string;
  };
  const first = await send();
  const [mail] = await until('the first campaign sends', () => sink.taken.length > 0 && sink.taken);
  const its = workers[names.indexOf(mail!.client)]!;
  // The process that sends it stands still, so that the second one is sent by the other process.
  its.process.kill('SIGSTOP');
  const second = await send();
  await until('the second one is sent by the other process', () =>
    sink.taken.some(({ client }) => client !== mail!.client),
  );
  its.process.kill('SIGCONT');
  const counted = async () => {
    const both = [await countsByStatus(app, first), await countsByStatus(app, second)];
    const sum = (status: string) => both.reduce((all, counts) => all + (counts[status] ?? 0), 0);
    return { sent: sum('sent'), open: sum('queued') + sum('sending'), sending: sum('sending') };
  };
  // What it had in hand when it stood still begins late; then both keep one pace.
  const late = sink.taken.length + 4 * CONNECTIONS + PER_SECOND;
  await until('the hour is used up', async () => {
    const [pace] = await app.database.withConnection('*', ({ query }) =>
      query<{ used_hour: number }>('SELECT used_hour FROM mail_send_paces WHERE scope = $1', [
        client.actor.organization_id,
      ]),
    );
    return pace!.used_hour === PER_HOUR && (await counted()).sending === 0;
  });
  const { sent, open } = await counted();
  assert.ok(sent > PER_HOUR - 4 * CONNECTIONS && sent <= PER_HOUR + 2 * CONNECTIONS, `${sent} in an hour`);
  assert.ok(open > 0);
  const shared = sink.taken.slice(late);
  assert.equal(new Set(shared.map((taken) => taken.client)).size, 2, 'both processes send');
  // On a busy machine a process stumbles, and then begins what is late at its own pace beside the other's.
  for (const seconds of [1, 5]) {
    const counts = within(seconds * 1_000, shared);
    const usual = counts[Math.floor(counts.length * 0.9)]!;
    assert.ok(usual <= seconds * PER_SECOND + 4 * CONNECTIONS, `${usual} mails in ${seconds} s`);
    const most = counts.at(-1)!;
    assert.ok(most <= 2 * seconds * PER_SECOND + 4 * CONNECTIONS, `at worst ${most} mails in ${seconds} s`);
  }
  // An hour later the rest goes.
  await app.database.withConnection('*', ({ query }) =>
    query("UPDATE mail_send_spans SET until = until - 3600000000 WHERE span = 'hour'"),
  );
  await until('all are sent', async () => (await counted()).open === 0);
  const all = Map.groupBy(sink.taken, ({ to }) => to);
  assert.ok(
    [...all.values()].every((each) => each.length === 2),
    'each once of each campaign',
  );
});

test('a campaign takes of its limits what it sends, however often it looks for what is due', async () => {
  await start('one.example');
  sink.verdict = (_, at) =>
    at === 'recipient' ? { kind: 'refuse', code: 450, words: '4.2.0 later' } : { kind: 'take' };
  const emails = ['taro@example.jp', 'jiro@example.jp', 'hanako@example.jp'];
  const { id } = await startCampaign(app, emails, { throttle: { per_hour: 30 } });
  await until('all are to be tried again', async () => {
    const rows = Object.values(await rowsOf(app, id));
    return rows.length === 3 && rows.every(({ attempts, status }) => attempts === 1 && status === 'queued');
  });
  const [pace] = await app.database.withConnection('*', ({ query }) =>
    query<{ used_hour: number }>('SELECT used_hour FROM mail_send_paces WHERE scope = $1', [id]),
  );
  assert.equal(pace!.used_hour, emails.length);
});
