import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordMissingConsents } from '../../shared/mail/consent-records/missing.ts';
import { startApp } from '../support/app.ts';
import { mailedCampaign } from '../support/mailed-campaigns.ts';
import { addContact } from '../support/sendable-campaigns.ts';
import { countsByStatus, rowsOf, startCampaign, untilStatus } from '../support/sent-campaigns.ts';
import { smtpSink } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

const app = await startApp();
const query = <Row extends object>(text: string, values: unknown[] = []) =>
  app.database.withConnection('*', (connection) => connection.query<Row>(text, values));

/** As the release before erases a contact: it knows of no recipients. */
const erase = (contact_id: string) => query('DELETE FROM mail_contacts WHERE id = $1', [contact_id]);

/** As the release before ends a job of which its outbox knows no work. */
const lose = (job_id: string) =>
  query(
    `UPDATE jobs SET status = 'failed', finished_at = now(), error = '{"code":"work_lost","message":"Ask for it again."}'
      WHERE id = $1 AND status IN ('queued', 'running')
        AND NOT EXISTS (SELECT FROM outbox WHERE outbox.job_id = jobs.id) RETURNING 1`,
    [job_id],
  );

test('a contact that the release before erases is forgotten by the campaigns too', async () => {
  const client = await app.actor();
  const [erased, other] = [
    await addContact(client, { email: 'taro@example.jp' }),
    await addContact(client, { email: 'jiro@example.jp' }),
  ];
  const id = await mailedCampaign(app, client, [
    { email: 'taro@example.jp', contact_id: erased, status: 'sent', smtp_response: '250 taro@example.jp' },
    { email: 'jiro@example.jp', contact_id: other, status: 'sent', smtp_response: '250 jiro@example.jp' },
  ]);
  await query(
    `INSERT INTO mail_campaign_reads (organization_id, campaign_id, recipient_number, kind, is_robot, at)
     SELECT organization_id, campaign_id, number, 'open', false, now() FROM mail_campaign_recipients WHERE campaign_id = $1`,
    [id],
  );
  await query(
    `INSERT INTO mail_inbound_messages
       (organization_id, id, source, digest, recipient_id, content, received_at, created_at, updated_at)
     SELECT organization_id, 'minb_' || number, 'hook', number::text, id, 'taro', now(), now(), now()
       FROM mail_campaign_recipients WHERE campaign_id = $1`,
    [id],
  );
  await erase(erased);
  const rows = await query<Record<string, unknown>>(
    `SELECT contact_id, email, email_key, smtp_response, status, octet_length(email_hash) AS hash,
        (SELECT count(*)::integer FROM mail_campaign_reads AS read
          WHERE read.campaign_id = row.campaign_id AND read.recipient_number = row.number) AS reads,
        (SELECT count(*)::integer FROM mail_inbound_messages WHERE recipient_id = row.id) AS messages
       FROM mail_campaign_recipients AS row WHERE campaign_id = $1 ORDER BY number`,
    [id],
  );
  const known = { status: 'sent', hash: 32 };
  assert.deepEqual(rows, [
    { ...known, contact_id: null, email: null, email_key: null, smtp_response: null, reads: 0, messages: 0 },
    {
      ...known,
      contact_id: other,
      email: 'jiro@example.jp',
      email_key: 'jiro@example.jp',
      smtp_response: '250 jiro@example.jp',
      reads: 1,
      messages: 1,
    },
  ]);
});

test('a campaign under way goes on beside the release before, which erases its recipients and ends its job', async () => {
  const sink = await smtpSink();
  const workers = await startWorkers(
    { DATABASE_URL: app.database_url, SMTP_URL: sink.url, MAIL_FROM: 'Service <no-reply@example.com>' },
    ['--queues', 'campaign'],
  );
  const emails = Array.from({ length: 6 }, (_, n) => `p${n}@example.jp`);
  sink.verdict = (_, at) =>
    at === 'recipient' ? { kind: 'refuse', code: 450, words: '4.2.0 later' } : { kind: 'take' };
  const underway = await startCampaign(app, emails);
  await until('all are to be tried again', async () => {
    const rows = Object.values(await rowsOf(app, underway.id));
    return rows.length === 6 && rows.every(({ status, attempts }) => status === 'queued' && attempts === 1);
  });
  const contacts = (await underway.client.get('/mail/contacts?limit=50')).body.items;
  await erase(contacts.find(({ email }: { email: string }) => email === 'p3@example.jp').id);
  await until('the job is ended', async () => (await lose(underway.job_id)).length > 0);
  sink.verdict = () => ({ kind: 'take' });
  await query(
    "UPDATE mail_campaign_recipients SET next_attempt_at = now() WHERE campaign_id = $1 AND status = 'queued'",
    [underway.id],
  );
  await untilStatus(underway, 'sent');
  assert.deepEqual(await countsByStatus(app, underway.id), { sent: 5, skipped: 1 });
  assert.deepEqual(
    sink.taken.map(({ to }) => to).sort(),
    emails.filter((email) => email !== 'p3@example.jp'),
  );
  const { job } = (await underway.client.get(`/jobs/${underway.job_id}`)).body;
  assert.deepEqual([job.status, job.error], ['succeeded', null]);
  await workers.stop();
});

test('consents that the release before takes, changes and ends are recorded afterwards, each once', async () => {
  const client = await app.actor();
  const { organization_id } = client.actor;
  const emails = ['kept@example.jp', 'changed@example.jp', 'ended@example.jp'];
  const consent = { basis: 'consent', source: '窓口', at: '2026-01-01T00:00:00.000Z' };
  for (const email of emails) await addContact(client, { email, consent });
  const bare = await client.post('/mail/contacts', { email: 'bare@example.jp' });
  assert.equal(bare.status, 201, bare.text);
  const before = (email: string, changed: object | null) =>
    query(
      `UPDATE mail_contacts SET consent = $3, updated_at = updated_at + interval '1 second'
        WHERE organization_id = $1 AND email_key = $2`,
      [organization_id, email, changed && JSON.stringify(changed)],
    );
  const other = { ...consent, source: '電話', text: null, tracking: false };
  await before('changed@example.jp', other);
  await before('ended@example.jp', null);
  await before('bare@example.jp', other);
  const record = () => recordMissingConsents(app.database, new Date(), new AbortController().signal);
  assert.deepEqual([await record(), await record()], [3, 0]);
  const sources = async (email: string) =>
    (await client.get(`/mail/consent-records?email=${email}`)).body.items.map(
      (each: { consent: { source: string } | null }) => each.consent?.source ?? null,
    );
  assert.deepEqual(await sources('kept@example.jp'), ['窓口']);
  assert.deepEqual(await sources('changed@example.jp'), ['電話', '窓口']);
  assert.deepEqual(await sources('ended@example.jp'), [null, '窓口']);
  assert.deepEqual(await sources('bare@example.jp'), ['電話']);
});

test('a reason to pause that a newer release gives is told, and the campaign goes on', async () => {
  const client = await app.actor();
  const id = await mailedCampaign(app, client, [{ email: 'taro@example.jp', status: 'queued' }], {
    status: 'paused',
  });
  await query("UPDATE mail_campaigns SET pause_reason = 'of_a_newer_release' WHERE id = $1", [id]);
  const path = `/mail/campaigns/${id}`;
  const shown = await client.get(path);
  assert.equal(shown.status, 200, shown.text);
  assert.equal(shown.body.campaign.pause_reason, 'of_a_newer_release');
  const [item] = (await client.get('/mail/campaigns')).body.items;
  assert.equal(item.pause_reason, 'of_a_newer_release');
  const resumed = await client.post(`${path}/resume`, {});
  assert.deepEqual([resumed.status, resumed.body.campaign?.pause_reason], [200, null], resumed.text);
});
