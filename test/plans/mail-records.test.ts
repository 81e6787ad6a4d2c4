import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { campaignsStanding } from '../../shared/mail/campaigns/standing-still.ts';
import { emailKey, suppressionHash } from '../../shared/mail/email-key.ts';
import { mailMeasures } from '../../shared/mail/measures.ts';
import { readMeasures } from '../../shared/platform/operators/measure.ts';
import { seedMailContacts } from '../support/many-mail-contacts.ts';
import { assertReads, plannedApp, type Reading } from '../support/plans.ts';

/** What is asked about campaigns at 100,000 contacts, suppressions, records of consent and recipients, in two organizations. */
const MANY = 100_000;
const SMALL = new Set([
  'mail_lists',
  'mail_segments',
  'mail_templates',
  'mail_contacts_unindexed',
  'mail_campaigns',
  'jobs',
  'exports',
  'crm_contacts',
  'api_keys',
  'api_key_hashes',
  'members',
  'organizations',
  'row_counts',
]);
const PAGE = 50 * 8;
/** Campaigns that one contact got. */
const OFTEN = 2_000;

const { app, ...planned } = await plannedApp();

const organization = await planned.fill(async () => {
  const made = await seeded();
  await seeded();
  return made;
});

async function seeded() {
  const client = await app.actor();
  const { organization_id } = client.actor;
  const { list } = (await client.post('/mail/lists', { name: 'A' })).body;
  const { contact } = (await client.post('/mail/contacts', { email: 'often@example.jp' })).body;
  await seedMailContacts(app.database, organization_id, MANY, {
    indexed: false,
    changed_from: MANY,
    list_id: list.id,
  });
  const id = (prefix: string, n: string) => `'${prefix}_0' || lpad(${n}::text, 25, '0')`;
  await app.database.withConnection(organization_id, async (connection) => {
    const query = (text: string, values: unknown[]) =>
      connection.query(text, [organization_id, ...values], { prepared: false });
    await query(
      `INSERT INTO suppressions (organization_id, id, email, email_hash, reason, created_at, updated_at)
       SELECT $1, ${id('supp', 'n')}, 'no' || n || '@example.jp', sha256(convert_to($1 || n, 'UTF8')),
         CASE WHEN n % 10000 = 0 THEN 'complaint' ELSE 'hard_bounce' END, now(), now()
         FROM generate_series(1, $2::int) AS n`,
      [MANY],
    );
    await query(
      `INSERT INTO mail_consent_records (organization_id, id, contact_id, email, email_hash, created_at)
       SELECT $1, ${id('mcons', 'n')}, ${id('mcont', 'n')}, 'p' || n || '@example.jp',
         CASE WHEN n = 77 THEN $3 ELSE sha256(convert_to($1 || n, 'UTF8')) END, now() FROM generate_series(1, $2::int) AS n`,
      [MANY, suppressionHash(organization_id, emailKey('p77@example.jp'))],
    );
    await query(
      `INSERT INTO mail_campaigns (organization_id, id, name, status, locale, purpose, track_opens, track_clicks, throttle,
         search_text, search_grams, created_at, updated_at)
       SELECT $1, ${id('camp', 'n')}, 'A', 'sent', 'ja', 'notice', false, false, '{}', '', '{}', now(), now()
         FROM generate_series(1, $2::int) AS n`,
      [OFTEN],
    );
    const recipient = `INSERT INTO mail_campaign_recipients (organization_id, campaign_id, number, id, contact_id, email,
      email_key, email_hash, status, tracked, created_at, updated_at)`;
    await query(
      `${recipient} SELECT $1, ${id('camp', 'n')}, 1, ${id('mrcp', 'n')}, $3, 'often@example.jp', 'often@example.jp', ''::bytea,
         'sent', false, now(), now() FROM generate_series(1, $2::int) AS n`,
      [OFTEN, contact.id],
    );
    await query(
      `${recipient} SELECT $1, ${id('camp', '1')}, n + 1, ${id('mrcp', `(n + ${OFTEN})`)}, id, email, email_key, ''::bytea,
         'sent', false, now(), now()
         FROM (SELECT id, email, email_key, row_number() OVER (ORDER BY id) AS n FROM mail_contacts
                WHERE organization_id = $1 AND id <> $2) AS contact`,
      [contact.id],
    );
  });
  return { client, list_id: list.id as string, contact_id: contact.id as string };
}

function reads(reading: Required<Reading>): Promise<void> {
  return assertReads(planned, organization.client, SMALL, reading);
}

describe('what is asked about addresses', () => {
  test('suppressions by a part of the address and by their reason', async () => {
    const rare = {
      path: '/mail/suppressions?search=no99999@',
      index: /suppressions_search/,
      most: PAGE,
      found: 1,
    };
    await reads(rare);
    const complaints = '/mail/suppressions?reason=complaint';
    await reads({ path: complaints, index: /suppressions_by_reason/, most: PAGE, found: 10 });
    const frequent = '/mail/suppressions?reason=hard_bounce&skip_total=true';
    await reads({ path: frequent, index: /suppressions_(by_reason|pkey)/, most: PAGE, found: 50 });
  });

  test('records of consent, the newest and those of an address', async () => {
    const newest = '/mail/consent-records?skip_total=true';
    await reads({ path: newest, index: /mail_consent_records_pkey/, most: PAGE, found: 50 });
    const path = '/mail/consent-records?email=P77@example.jp';
    await reads({ path, index: /mail_consent_records_by_email/, most: PAGE, found: 1 });
  });

  test('the preview of a segment reads the contacts of its organization once, or those of its lists', async () => {
    const filter = {
      any: [
        { field: 'domain', op: 'equals', value: 'nowhere.jp' },
        { field: 'last_name', op: 'starts_with', value: '勅使' },
      ],
    };
    for (const list_ids of [[], [organization.list_id]]) {
      const { whole, rows } = await planned.plansOf(async () => {
        const reply = await organization.client.post('/mail/segments/preview', { filter, list_ids });
        assert.equal(reply.status, 200, reply.text);
      });
      assert.deepEqual(
        [...whole].filter((table) => !SMALL.has(table) && table !== 'mail_contacts'),
        [],
      );
      assert.ok(rows <= 4 * MANY + PAGE, `${rows} rows`);
    }
  });

  test('an erasure finds the recipients of its contact by their index', async () => {
    const { indexes, whole, rows } = await planned.plansOf(async () => {
      const reply = await organization.client.delete(`/mail/contacts/${organization.contact_id}`);
      assert.equal(reply.status, 200, reply.text);
    });
    assert.deepEqual(
      [...whole].filter((table) => !SMALL.has(table)),
      [],
    );
    assert.ok(
      [...indexes].some((name) => /mail_campaign_recipients_of_contact/.test(name)),
      [...indexes].join(),
    );
    assert.ok(rows <= 4 * OFTEN + PAGE, `${rows} rows`);
  });
});

describe('what operators see of campaigns', () => {
  /** Many were paused by hand, and a few stand still by a trouble: who looks for these passes over none of the others. */
  const HALTED = 5_000;
  const FEW = 30;
  test('those that stand still are found by their indexes, past all that somebody has paused', async () => {
    const { organization_id } = organization.client.actor;
    await app.database.withConnection(organization_id, ({ query }) =>
      query(
        `INSERT INTO mail_campaigns (organization_id, id, name, status, locale, purpose, track_opens, track_clicks,
             throttle, search_text, search_grams, pause_reason, created_at, updated_at)
           SELECT $1, 'camp_1' || lpad(n::text, 25, '0'), 'A', 'paused', 'ja', 'notice', false, false, '{}', '', '{}',
             CASE WHEN n <= $3 THEN (ARRAY['smtp_unavailable', 'sender_refused', 'sending_failed'])[1 + n % 3] END,
             now(), now() - n * interval '-1 second' FROM generate_series(1, $2::int) AS n`,
        [organization_id, HALTED, FEW],
        { prepared: false },
      ),
    );
    await app.database.withConnection('*', ({ query }) => query('ANALYZE mail_campaigns'));
    let found = 0;
    const { indexes, whole, rows } = await planned.plansOf(() =>
      app.database.withConnection('*', async (connection) => {
        found = (await campaignsStanding.find(connection, { now: new Date(), limit: 20 })).length;
      }),
    );
    assert.equal(found, 20);
    assert.deepEqual([...whole], []);
    assert.ok(indexes.has('mail_campaigns_paused_by_reason'), [...indexes].join());
    assert.ok(rows <= 4 * FEW, `${rows} rows`);
  });

  test('their numbers look at no campaign that is not counted', async () => {
    const measures = mailMeasures.filter(({ name }) =>
      /^mail_campaigns_(paused_|start|unreachable)/.test(name),
    );
    const { whole, rows } = await planned.plansOf(() =>
      app.database.withConnection('*', (connection) => readMeasures(connection, measures)),
    );
    assert.deepEqual([...whole], []);
    assert.ok(rows <= 4 * FEW, `${rows} rows`);
  });
});
