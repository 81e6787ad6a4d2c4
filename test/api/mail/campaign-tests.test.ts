import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { simpleParser } from 'mailparser';
import { domains } from '../../../shared/domains.ts';
import { sendMailJob } from '../../../shared/platform/mailer/jobs.ts';
import { purposesOf } from '../../../shared/platform/mailer/purposes.ts';
import type { Outgoing, Transport } from '../../../shared/platform/mailer/transport.ts';
import { sendMail } from '../../../workers/mailer/send-mail.ts';
import { startApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { takeDelivery } from '../../support/deliveries.ts';

let now = Date.parse('2026-11-28T03:00:00.000Z');
const app = await startApp({ now: () => new Date(now) });

const PATH = '/mail/campaigns';

async function draftOf(client: Client, more: object = {}) {
  await client.patch('/mail/settings', {
    default_from_email: 'news@yamada.example',
    sender_name: '山田商店',
  });
  const made = await client.post(PATH, {
    name: '春',
    subject: '{{last_name|お客様}} 様へ',
    body_html: '<p>{{last_name|お客様}} 様</p><a href="https://a.example/">見る</a>',
    track_opens: true,
    track_clicks: true,
    ...more,
  });
  assert.equal(made.status, 201, made.text);
  return made.body.campaign;
}

/** Sends the mails that wait, as the worker does; answers what a server got. */
async function sent(): Promise<Outgoing[]> {
  const { context } = app;
  const got: Outgoing[] = [];
  const transport: Transport = {
    repeatable: false,
    deliver: async (mail, commit) => {
      if (await commit()) got.push(mail);
      return '250 OK';
    },
  };
  const handler = sendMail({
    transport,
    storage: context.storage,
    purposes: purposesOf(domains),
    mail_from: 'no-reply@example.com',
    base_url: context.settings.baseUrl,
    secret_keys: context.outside.secret_keys,
  });
  const rows = await app.database.withConnection('*', ({ query }) =>
    query<{ id: string; payload: { mail_id: string } }>(
      'SELECT id, payload FROM outbox WHERE name = $1 ORDER BY id',
      [sendMailJob.name],
    ),
  );
  for (const { id, payload } of rows) {
    const taken = await takeDelivery({ database: app.database, clock: context.now }, id);
    await handler(payload, taken);
    await taken.settle(async () => {});
  }
  return got;
}

describe('POST /mail/campaigns/{id}/test', () => {
  test('202: a mail to each address with the values of a contact, signed, counted nowhere', async () => {
    const client = await app.actor();
    const key = await client.post('/mail/settings/dkim-keys', { domain: 'yamada.example', selector: 's1' });
    assert.equal(key.status, 201, key.text);
    const campaign = await draftOf(client);
    const { contact } = (await client.post('/mail/contacts', { email: 'taro@example.jp', last_name: '山田' }))
      .body;
    const to = ['a@example.jp', 'b@example.jp', 'A@example.jp'];
    const asked = await client.post(`${PATH}/${campaign.id}/test`, { to, contact_id: contact.id });
    assert.equal(asked.status, 202, asked.text);
    assert.deepEqual(asked.body.job.progress, { done: 0, total: 2, unit: 'mails' });
    const mails = await sent();
    assert.deepEqual(mails.map((mail) => mail.to).toSorted(), [['A@example.jp'], ['b@example.jp']]);
    const read = await simpleParser(mails[0]!.raw);
    assert.equal(read.subject, '[テスト] 山田 様へ');
    assert.match(String(read.html), /<p>山田 様<\/p><a href="https:\/\/a\.example\/">/);
    assert.doesNotMatch(String(read.html), /\/m\/[oc]\//);
    assert.ok(read.headers.has('dkim-signature'));
    const { job } = (await client.get(`/jobs/${asked.body.job.id}`)).body;
    assert.deepEqual([job.status, job.result, job.progress.done], ['succeeded', { sent: 2 }, 2]);
    const [rows] = await app.database.withConnection('*', ({ query }) =>
      query('SELECT count(*)::integer AS count FROM mail_campaign_recipients WHERE campaign_id = $1', [
        campaign.id,
      ]),
    );
    assert.deepEqual(rows, { count: 0 });

    // What stands in it is shown, and changes nothing.
    const token = /\/m\/u\/([0-9a-z]+)/.exec(String(read.text))![1]!;
    const page = await fetch(`${app.base_url}/m/u/${token}?lang=ja`);
    assert.deepEqual([page.status, /テストメール/.test(await page.text())], [200, true]);
    const clicked = await fetch(`${app.base_url}/m/u/${token}`, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
    assert.equal(clicked.status, 200);
    assert.equal((await app.anonymous.post(`/mail/u/${token}`, { all: true })).body.status, 'active');
    assert.equal((await client.get(`/mail/contacts/${contact.id}`)).body.contact.status, 'active');
    assert.equal((await client.get('/mail/suppressions')).body.items.length, 0);
  });

  test('202: in English, of nobody in particular', async () => {
    const client = await app.actor();
    const campaign = await draftOf(client, { locale: 'en', subject: 'News', body_html: '<p>{{email}}</p>' });
    assert.equal((await client.post(`${PATH}/${campaign.id}/test`, { to: ['a@example.jp'] })).status, 202);
    const [mail] = await sent();
    const read = await simpleParser(mail!.raw);
    assert.deepEqual([read.subject, /<p>a@example\.jp<\/p>/.test(String(read.html))], ['[TEST] News', true]);
  });

  test('429: more than 50 an hour; 409: a suppressed address', async () => {
    const client = await app.actor();
    const campaign = await draftOf(client);
    const ask = (count: number) =>
      client.post(`${PATH}/${campaign.id}/test`, {
        to: Array.from({ length: count }, (_, number) => `a${number}@example.jp`),
      });
    for (let asked = 0; asked < 5; asked += 1) assert.equal((await ask(10)).status, 202);
    const refused = await ask(1);
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '3600']);
    now += 60 * 60_000;
    assert.equal((await ask(1)).status, 202);
    await client.post('/mail/suppressions', { email: 'a3@example.jp', reason: '依頼' });
    assert.equal((await ask(3)).status, 202);
    const suppressed = await ask(5);
    assert.deepEqual([suppressed.status, suppressed.body.code], [409, 'suppressed']);
    const places = suppressed.body.errors.map(({ path, code }: Record<string, string>) => [path, code]);
    assert.deepEqual(places, [['/to/3', 'suppressed']]);
  });

  test('422: nobody it comes from, a contact that is not there, eleven addresses, none', async () => {
    const client = await app.actor();
    const { campaign } = (await client.post(PATH, { name: '春' })).body;
    const path = `${PATH}/${campaign.id}/test`;
    const nobody = await client.post(path, { to: ['a@example.jp'] });
    assert.deepEqual(
      [nobody.status, nobody.body.errors[0].code, nobody.body.errors[0].path],
      [422, 'sender_identity_missing', '/from_email'],
    );
    await client.patch('/mail/settings', { default_from_email: 'news@yamada.example' });
    const bodies = [
      { to: ['a@example.jp'], contact_id: 'mcont_01kaj2n5w5fq8b4m0g3v7x9rtc' },
      { to: Array(11).fill('a@example.jp') },
      { to: [] },
      {},
    ];
    for (const body of bodies)
      assert.equal((await client.post(path, body)).status, 422, JSON.stringify(body));
  });
});

test('the erasure of a person reaches the test mails to them; one that waits is not sent, and its job says so', async () => {
  const client = await app.actor();
  const { id } = await draftOf(client);
  const contact = (await client.post('/mail/contacts', { email: 'erased@example.jp' })).body.contact;
  const ask = (to: string[]) => client.post(`${PATH}/${id}/test`, { to });
  await sent();
  await ask(['Erased@example.jp', 'other@example.jp']);
  assert.equal((await sent()).length, 2);
  const waiting = await ask(['erased@example.jp']);
  assert.equal(waiting.status, 202, waiting.text);
  assert.equal((await client.delete(`/mail/contacts/${contact.id}`)).status, 200);
  const rows = await app.database.withConnection('*', ({ query }) =>
    query<{ about: { to: string | null } }>(
      'SELECT about FROM mails WHERE organization_id = $1 ORDER BY id',
      [client.actor.organization_id],
    ),
  );
  assert.deepEqual(
    rows.map(({ about }) => about.to),
    [null, 'other@example.jp', null],
  );
  assert.deepEqual(await sent(), []);
  const { job } = (await client.get(`/jobs/${waiting.body.job.id}`)).body;
  assert.deepEqual([job.status, job.error.code], ['failed', 'mail_failed']);
});
