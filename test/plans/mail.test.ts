import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { indexDueContacts } from '../../shared/mail/contacts/search-sweep.ts';
import { RARE } from '../support/many-contacts.ts';
import { type SeedOptions, seedMailContacts } from '../support/many-mail-contacts.ts';
import { assertReads, plannedApp, type Reading } from '../support/plans.ts';

/**
 * What the lists and searches of mail contacts read at 100,000 rows in each of two organizations, beside a smaller one:
 * through which index, and how many rows are looked at; in the second one nothing is indexed yet, as after an import.
 */
const MANY = 100_000;
const OTHERS = 10_000;
const SMALL = new Set([
  'mail_lists',
  'row_counts',
  'mail_contacts_unindexed',
  'suppressions',
  'crm_contacts',
  'api_keys',
  'api_key_hashes',
  'members',
  'organizations',
]);

const { app, ...planned } = await plannedApp();
const { database } = app;

const { indexed, unindexed } = await planned.fill(async () => {
  const indexed = await organization({ indexed: true, changed_from: MANY - 100 });
  const unindexed = await organization({ indexed: false, changed_from: 0 });
  await organization({ indexed: true }, OTHERS);
  return { indexed, unindexed };
});

async function organization(options: SeedOptions, count = MANY) {
  const client = await app.actor();
  const { list } = (await client.post('/mail/lists', { name: 'all' })).body;
  await seedMailContacts(database, client.actor.organization_id, count, { ...options, list_id: list.id });
  // Of a list that was removed since.
  await database.withConnection(client.actor.organization_id, ({ query }) =>
    query(
      `INSERT INTO mail_left_lists (organization_id, contact_id, list_id, left_at)
         SELECT organization_id, id, 'mlist_removed', now() FROM mail_contacts WHERE organization_id = $1`,
      [client.actor.organization_id],
    ),
  );
  return { client, list_id: list.id as string };
}

function analyze() {
  return database.withConnection('*', ({ query }) => query('VACUUM ANALYZE', [], { prepared: false }));
}

function reads({ client }: typeof indexed, reading: Required<Reading>): Promise<void> {
  return assertReads(planned, client, SMALL, reading);
}

const PAGE = 20 * 8;
const NEWEST = 2_000;
const rare = MANY / 10_000;
const encoded = encodeURIComponent;

describe('lists read a page, however deep', () => {
  test('the newest, from the middle, without and with the total', async () => {
    const newest = { index: /mail_contacts_pkey/, found: 20 };
    await reads(indexed, { ...newest, path: '/mail/contacts?skip_total=true', most: PAGE });
    await reads(indexed, { ...newest, path: '/mail/contacts', most: MANY + PAGE });
    const middle = await indexed.client.get(`/mail/contacts?offset=${MANY / 2}&limit=1&skip_total=true`);
    const path = `/mail/contacts?limit=20&starting_after=${middle.body.items[0].id}`;
    await reads(indexed, { ...newest, path, most: PAGE });
  });

  test('by e-mail', async () => {
    const path = '/mail/contacts?sort=email&skip_total=true';
    await reads(indexed, { path, index: /mail_contacts_email_once/, most: PAGE, found: 20 });
  });

  test('by change, where few were changed and where all were, from the middle too', async () => {
    for (const direction of ['desc', 'asc']) {
      const path = `/mail/contacts?sort=updated_at:${direction}&limit=20`;
      const reading = { index: /mail_contacts_(by_change|pkey)/, most: 2 * PAGE, found: 20 };
      for (const organization of [indexed, unindexed]) {
        // Where all were changed, the first ones of old are looked for in vain among all, once.
        const most = organization === unindexed && direction === 'asc' ? MANY : reading.most;
        await reads(organization, { ...reading, most, path: `${path}&cursor_mode=true` });
        const middle = await organization.client.get(`${path}&offset=${MANY / 2}&skip_total=true`);
        const cursor = middle.body.items.at(-1).id;
        await reads(organization, { ...reading, path: `${path}&starting_after=${cursor}` });
      }
    }
  });

  test('of a status, of a list, of both', async () => {
    const bounced = '/mail/contacts?status=bounced&skip_total=true';
    await reads(indexed, { path: bounced, index: /mail_contacts_by_refusal/, most: PAGE, found: 20 });
    const active = '/mail/contacts?status=active&skip_total=true';
    await reads(indexed, { path: active, index: /mail_contacts_pkey/, most: PAGE, found: 20 });
    const listed = `/mail/contacts?list_id=${indexed.list_id}&skip_total=true`;
    await reads(indexed, { path: listed, index: /mail_list_members_pkey/, most: PAGE, found: 20 });
    const counted = `/mail/contacts?list_id=${indexed.list_id}`;
    await reads(indexed, { path: counted, index: /mail_list_members_pkey/, most: PAGE, found: 20 });
    const both = `${listed}&status=bounced`;
    // One in a hundred bounced: a page of them is found among that many members.
    await reads(indexed, { path: both, index: /mail_list_members_pkey/, most: 100 * PAGE, found: 20 });
  });
});

describe('lists find what programs ask for', () => {
  test('by their own IDs and by e-mail', async () => {
    const by_id = { path: '/mail/contacts?external_id=K-1,K-2', index: /mail_contacts_external_id_once/ };
    await reads(indexed, { ...by_id, most: PAGE, found: 0 });
    const { email } = (await indexed.client.get('/mail/contacts?limit=1&skip_total=true')).body.items[0];
    const path = `/mail/contacts?email=${encoded(email)}`;
    await reads(indexed, { path, index: /mail_contacts_email_once/, most: PAGE, found: 1 });
  });

  test('of several statuses', async () => {
    const path = '/mail/contacts?status=unsubscribed,bounced&skip_total=true';
    await reads(indexed, {
      path,
      index: /mail_contacts_(by_refusal|pkey)/,
      most: (MANY / 100) * 2 + PAGE,
      found: 20,
    });
  });

  test('changed since: the few that were, in any order, with the total', async () => {
    const newest = '/mail/contacts?sort=updated_at:desc&limit=1&offset=49&skip_total=true';
    const since = (await indexed.client.get(newest)).body.items[0].updated_at;
    for (const order of ['', '&sort=updated_at:asc', '&sort=updated_at:desc']) {
      for (const total of ['', '&skip_total=true']) {
        const path = `/mail/contacts?updated_after=${since}${order}${total}`;
        await reads(indexed, { path, index: /mail_contacts_(by_change|pkey)/, most: 5 * PAGE, found: 20 });
      }
    }
  });
});

describe('searches read what they find', () => {
  for (const term of [RARE.one, RARE.two, RARE.three, '勅使河原', 'person17@']) {
    const found = term === 'person17@' ? 1 : rare;
    test(`a rare term, with and without the total: ${term}`, async () => {
      const path = `/mail/contacts?search=${encoded(term)}`;
      await reads(indexed, { path, index: /mail_contacts_search/, most: 5 * PAGE, found });
      const quick = `${path}&skip_total=true`;
      await reads(indexed, { path: quick, index: /mail_contacts_search/, most: NEWEST + 5 * PAGE, found });
    });
  }

  test('a frequent term fills its page from the newest rows, indexed or not', async () => {
    for (const organization of [indexed, unindexed]) {
      for (const term of ['田', '田中', 'example']) {
        const path = `/mail/contacts?search=${encoded(term)}&skip_total=true`;
        await reads(organization, { path, index: /mail_contacts_pkey/, most: NEWEST + PAGE, found: 20 });
      }
    }
  });

  test('a term within a list and a status', async () => {
    const path = `/mail/contacts?list_id=${indexed.list_id}&status=active&search=${encoded(RARE.two)}`;
    await reads(indexed, { path, index: /mail_contacts_search/, most: 5 * PAGE, found: rare });
  });
});

describe('searches while nothing is indexed yet', () => {
  test('find all by their text, and read the rows that are not indexed once', async () => {
    for (const term of [RARE.one, RARE.two, RARE.three]) {
      const path = `/mail/contacts?search=${encoded(term)}`;
      await reads(unindexed, { path, index: /mail_contacts_pkey/, most: MANY + 5 * PAGE, found: rare });
    }
  });

  test('read what they find once the sweep has been there', async () => {
    const soon = new Date(Date.now() + 2 * 3_600_000);
    const count = await indexDueContacts(database, soon, new AbortController().signal);
    assert.ok(count >= MANY);
    await analyze();
    const path = `/mail/contacts?search=${encoded(RARE.two)}`;
    await reads(unindexed, { path, index: /mail_contacts_search/, most: 5 * PAGE, found: rare });
  });
});

describe('the checks of a campaign', () => {
  const beside = new Set([...SMALL, 'mail_campaigns', 'mail_settings', 'mail_dkim_keys', 'mail_segments']);

  async function checksOf(fields: object): Promise<string> {
    const made = await indexed.client.post('/mail/campaigns', { name: '春', purpose: 'notice', ...fields });
    assert.equal(made.status, 201, made.text);
    return `/mail/campaigns/${made.body.campaign.id}/checks`;
  }

  test('read a list of a few of many contacts by its members', async () => {
    const { client } = indexed;
    const list_id: string = (await client.post('/mail/lists', { name: 'a few' })).body.list.id;
    const { items } = (await client.get('/mail/contacts?limit=20&skip_total=true')).body;
    for (const { id } of items) await client.put(`/mail/lists/${list_id}/contacts/${id}`, {});
    const path = await checksOf({ list_ids: [list_id] });
    const reading = { path, index: /mail_list_members_pkey/, most: 10 * PAGE };
    await assertReads(planned, client, beside, reading);
  });

  test('read a list of all, and a segment, no more than a few times each contact', async () => {
    const filter = { field: 'domain', op: 'equals', value: 'example1.co.jp' };
    const made = await indexed.client.post('/mail/segments', { name: '一', filter });
    const segment_id: string = made.body.segment.id;
    const path = await checksOf({ list_ids: [indexed.list_id] });
    const reading = { path, index: /mail_list_members_(pkey|by_contact)/, most: 5 * MANY };
    await assertReads(planned, indexed.client, beside, reading);
    const found = { path: await checksOf({ segment_id }), index: /mail_contacts_\w+/, most: 3 * MANY };
    await assertReads(planned, indexed.client, beside, found);
  });
});
