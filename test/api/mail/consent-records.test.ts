import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { transaction } from '../../../shared/db/transaction.ts';
import { forgetOldConsents } from '../../../shared/mail/consent-records/retention.ts';
import { startApp } from '../../support/app.ts';
import { campaignMail } from '../../support/campaign-mails.ts';

const START = new Date('2026-01-10T00:00:00.000Z');
let now = START;
const app = await startApp({ now: () => now });

const consent = {
  basis: 'consent',
  source: '窓口',
  at: '2026-01-09T00:00:00.000Z',
  text: null,
  tracking: false,
};
const later = { ...consent, at: '2026-01-09T12:00:00.000Z' };

async function contactOf(email = 'taro@example.jp') {
  now = START;
  const client = await app.actor();
  const made = await client.post('/mail/contacts', { email, consent });
  assert.equal(made.status, 201, made.text);
  const { id } = made.body.contact;
  const records = async (of = email) =>
    (await client.get(`/mail/consent-records?email=${encodeURIComponent(of)}`)).body.items;
  return { client, id: id as string, path: `/mail/contacts/${id}`, records };
}

/** What is left of the records of an address after the retention of a day. */
async function leftOn(day: string, { records }: Awaited<ReturnType<typeof contactOf>>): Promise<number> {
  now = new Date(day);
  await forgetOldConsents(app.database, now, new AbortController().signal);
  return (await records()).length;
}

describe('GET /mail/consent-records', () => {
  test('200: what was recorded of an address, the newest first, whatever became of the contact', async () => {
    const { client, id, path, records } = await contactOf('Taro@example.jp');
    await client.patch(path, { first_name: '太郎' });
    await client.patch(path, { consent: later });
    await client.patch(path, { email: 'jiro@example.jp' });
    await client.patch(path, { consent: null });
    await client.delete(path);
    const told = await records('taro@EXAMPLE.jp');
    assert.deepEqual(
      told.map((one: { consent: unknown }) => one.consent),
      [later, consent],
    );
    assert.deepEqual(told[1], {
      id: told[1].id,
      object: 'mail.consent_record',
      contact_id: id,
      email: 'Taro@example.jp',
      consent,
      created_at: START.toISOString(),
    });
    const others = await records('jiro@example.jp');
    assert.deepEqual(
      others.map((one: { consent: unknown }) => one.consent),
      [null, later],
    );
    assert.equal((await client.get('/mail/consent-records')).body.total, 4);
  });

  test('403: without audit:read, and without mail:read', async () => {
    for (const scope of ['audit:read', 'mail:read'] as const) {
      const client = await app.actor({ scopes: [scope] });
      assert.equal((await client.get('/mail/consent-records')).status, 403, scope);
    }
  });
});

describe('a record of consent', () => {
  test('takes no change and goes at nobody’s wish', async () => {
    const { client } = await contactOf();
    for (const text of [
      'UPDATE mail_consent_records SET consent = NULL WHERE organization_id = $1',
      'DELETE FROM mail_consent_records WHERE organization_id = $1',
    ]) {
      const changing = app.database.withConnection(client.actor.organization_id, (connection) =>
        transaction(connection, () => connection.query(text, [client.actor.organization_id])),
      );
      await assert.rejects(changing, /takes inserts only/);
    }
  });

  test('is kept while the contact has the consent, and a month without a mail', async () => {
    const contact = await contactOf();
    assert.equal(await leftOn('2026-12-31T00:00:00.000Z', contact), 1);
    await contact.client.delete(contact.path);
    assert.equal(await leftOn('2026-02-09T23:59:59.999Z', contact), 1);
    assert.equal(await leftOn('2026-02-10T00:00:00.000Z', contact), 0);
  });

  test('is kept for a month after the last mail, and three years after one for mail order', async () => {
    for (const [mail_order, kept, gone] of [
      [false, '2026-04-20T08:59:59.999Z', '2026-04-20T09:00:00.000Z'],
      [true, '2029-03-20T08:59:59.999Z', '2029-03-20T09:00:00.000Z'],
    ] as const) {
      const contact = await contactOf();
      now = new Date('2026-03-20T09:00:00.000Z');
      const { campaign_id } = await campaignMail(app, contact.client, { contact_id: contact.id });
      await app.database.withConnection(contact.client.actor.organization_id, ({ query }) =>
        query('UPDATE mail_campaigns SET mail_order = $3 WHERE organization_id = $1 AND id = $2', [
          contact.client.actor.organization_id,
          campaign_id,
          mail_order,
        ]),
      );
      await contact.client.delete(contact.path);
      assert.equal(await leftOn(kept, contact), 1);
      assert.equal(await leftOn(gone, contact), 0);
    }
  });
});
