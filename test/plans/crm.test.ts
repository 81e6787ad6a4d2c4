import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Grant } from '../../shared/kernel/scope.ts';
import { newActor, type TestActor } from '../support/actors.ts';
import type { Client } from '../support/client.ts';
import { RARE, seedContacts } from '../support/many-contacts.ts';
import { seedDocuments } from '../support/many-documents.ts';
import { seedActivities, seedCompanies, seedDeals, seedHistory } from '../support/many-records.ts';
import { assertReads, plannedApp } from '../support/plans.ts';

/**
 * What every list and search reads at 100,000 rows in several organizations: the index that serves it, and how many
 * rows are looked at. Tables that are small in any organization may be read whole.
 */
const MANY = 80_000;
const OTHERS = 10_000;
const SMALL = new Set([
  'crm_tags',
  'crm_tag_assignments',
  'crm_stages',
  'crm_pipelines',
  'crm_custom_fields',
  'crm_aliases',
  'crm_deal_contacts',
  'api_keys',
  'api_key_hashes',
  'members',
  'organizations',
  'received_documents',
  'invoicing_deposits',
]);

const { app, ...planned } = await plannedApp();
const { database } = app;
const client = await app.actor();
const { companies, pipeline_id, events } = await planned.fill(async () => {
  await seed(await newActor(database), OTHERS);
  await seed(await newActor(database), OTHERS);
  return seed(client.actor, MANY);
});

async function seed(owner: TestActor, count: number) {
  await seedContacts(database, owner, count);
  const companies = await seedCompanies(database, owner, count);
  const pipeline_id = await seedDeals(database, owner, companies, count);
  await seedActivities(database, owner, companies, count);
  await seedDocuments(database, owner, 'invoice', { companies, count: count / 10 });
  const events = await seedHistory(database, owner, count);
  return { companies, pipeline_id, events };
}

function reads(path: string, index: RegExp, most: number, found?: number): Promise<void> {
  return assertReads(planned, client, SMALL, { path, index, most, found });
}

const encoded = encodeURIComponent;
const PAGE = 50 * 6;

/** Tables whose totals come from the ledger. */
const counted = new Set(['crm_contacts', 'crm_companies', 'crm_deals']);

describe('lists read a page, however deep', () => {
  for (const [kind, table] of [
    ['contacts', 'crm_contacts'],
    ['companies', 'crm_companies'],
    ['deals', 'crm_deals'],
    ['activities', 'crm_activities'],
    ['audit-logs', 'audit_logs'],
  ] as const) {
    test(`${kind}: the newest, without and with the total`, async () => {
      await reads(`/crm/${kind}?skip_total=true`, /_pkey$|audit_logs_by_domain/, PAGE, 50);
      await reads(`/crm/${kind}`, /./, counted.has(table) ? PAGE : MANY + PAGE, 50);
      const middle = await client.get(`/crm/${kind}?offset=40000&limit=1&skip_total=true`);
      await reads(
        `/crm/${kind}?starting_after=${middle.body.items[0].id}`,
        /_pkey$|audit_logs_by_domain/,
        PAGE,
        50,
      );
    });

    test(`${kind}: by change`, async () => {
      if (table === 'audit_logs') return;
      await reads(
        `/crm/${kind}?sort=updated_at:desc&cursor_mode=true`,
        new RegExp(`${table}_by_change`),
        PAGE,
        50,
      );
    });
  }

  for (const [path, index] of [
    ['contacts?sort=name:asc', /crm_contacts_by_name/],
    ['contacts?sort=first_name:desc', /crm_contacts_by_first_name/],
    ['contacts?sort=last_name:asc', /crm_contacts_by_last_name/],
    ['contacts?sort=email:asc', /crm_contacts_by_email/],
    ['companies?sort=name:asc', /crm_companies_by_name/],
    ['companies?sort=open_amount:desc', /crm_companies_by_open_amount/],
    ['deals?sort=name:asc', /crm_deals_by_name/],
    ['deals?sort=amount:desc', /crm_deals_by_amount/],
    ['deals?sort=expected_close_date:asc', /crm_deals_by_close_date/],
    ['deals?sort=probability:desc', /crm_deals_by_probability/],
  ] as const) {
    test(`sorted: ${path}, the first page and one far behind`, async () => {
      await reads(`/crm/${path}&cursor_mode=true`, index, PAGE, 50);
      const { body } = await client.get(`/crm/${path}&offset=40000&limit=1&skip_total=true`);
      await reads(`/crm/${path}&starting_after=${body.items[0].id}`, index, PAGE, 50);
    });
  }

  test('audit entries, which never change, by their last change', async () => {
    await reads('/crm/audit-logs?sort=updated_at:asc&cursor_mode=true', /audit_logs_by_domain/, PAGE, 50);
  });

  test('events: both ways, by type, after a cursor', async () => {
    await reads('/events?limit=100', /events_in_order/, PAGE, 100);
    await reads(`/events?order=asc&starting_after=${events[40_000]}`, /events_in_order/, PAGE, 20);
    await reads('/events?type=crm.company.deleted&limit=80', /events_by_type/, PAGE, 80);
    await reads('/events?type=crm.contact.created', /events_by_type/, PAGE, 0);
  });

  test('events of the domains that a key may read, however rare they are', async () => {
    const { organization_id } = client.actor;
    const keyOf = (...scopes: Grant[]) => app.actor({ organization_id, scopes: ['events:read', ...scopes] });
    const rare = await keyOf('invoicing:read');
    const most = await keyOf('crm:read', 'mail:read');
    const read = (key: Client, query: string, rows: number, found: number) =>
      assertReads(planned, key, SMALL, {
        path: `/events?${query}`,
        index: /events_by_type/,
        most: rows,
        found,
      });
    await read(rare, 'limit=100', 200, MANY / 8000);
    await read(rare, `order=asc&starting_after=${events[40_000]}`, 200, MANY / 16_000);
    // The first page of each of its types, and the rows of one page.
    await read(most, 'limit=100', 5 * PAGE, 100);
    await read(most, `limit=100&order=asc&starting_after=${events[40_000]}`, 5 * PAGE, 100);
  });
});

describe('filters read what they leave', () => {
  test('deals of a stage, a status, a company, a pipeline', async () => {
    const { body } = await client.get(`/crm/pipelines/${pipeline_id}`);
    await reads(
      `/crm/deals?stage_id=${body.pipeline.stages[2].id}&skip_total=true`,
      /crm_deals_by_stage|pkey/,
      800,
      50,
    );
    await reads('/crm/deals?status=won&skip_total=true', /crm_deals_by_status|pkey/, 800, 50);
    await reads(`/crm/deals?company_id=${companies[77]}`, /crm_deals_by_company/, PAGE, 1);
    await reads(
      `/crm/deals?pipeline_id=${pipeline_id}&skip_total=true`,
      /crm_deals_by_pipeline|pkey/,
      PAGE,
      50,
    );
  });

  test('activities of a company, of a type; contacts of nobody', async () => {
    await reads(`/crm/activities?company_id=${companies[77]}`, /crm_activities_by_company/, PAGE, 1);
    await reads('/crm/activities?type=call&skip_total=true', /crm_activities_by_type|pkey/, 800, 50);
    await reads(`/crm/contacts?company_id=${companies[0]}`, /crm_contacts_by_company/, PAGE, 0);
  });

  test('audit entries of a record and of a person', async () => {
    await reads('/crm/audit-logs?entity_id=cont_77', /audit_logs_by_entity/, PAGE, 16);
    await reads('/crm/audit-logs?actor_id=usr_nobody', /audit_logs_by_actor/, PAGE, 0);
  });
});

describe('searches read what they find', () => {
  const rare = MANY / 10_000;
  for (const [kind, index] of [
    ['contacts', /crm_contacts_search/],
    ['companies', /crm_companies_search/],
    ['deals', /crm_deals_search/],
  ] as const) {
    test(`${kind}: a rare name of two, three and more letters, with and without the total`, async () => {
      for (const term of [RARE.two, RARE.three, '勅使河原']) {
        await reads(`/crm/${kind}?search=${encoded(term)}`, index, PAGE, rare);
        await reads(`/crm/${kind}?search=${encoded(term)}&skip_total=true`, index, 2_000 + PAGE, rare);
      }
    });

    test(`${kind}: a frequent term fills its page from the newest rows`, async () => {
      for (const term of kind === 'contacts'
        ? ['田', '山', '田中', 'たなか', '0388']
        : ['電', '東京', '電機']) {
        await reads(
          `/crm/${kind}?search=${encoded(term)}&skip_total=true&limit=10`,
          /_pkey$/,
          2_000 + PAGE,
          10,
        );
      }
    });

    test(`${kind}: what nobody is called is looked for in the index alone`, async () => {
      for (const term of ['鑢', '鑢山', '鑢山田'])
        await reads(`/crm/${kind}?search=${encoded(term)}`, index, PAGE, 0);
    });
  }

  test('a rare name of one letter', async () => {
    await reads(`/crm/contacts?search=${encoded(RARE.one)}`, /crm_contacts_search/, PAGE, rare);
  });

  test('a rare name in the letters of a bank, or in others than it is written in', async () => {
    for (const term of ['ｶ)ﾃｼｶﾞﾜﾗｼﾖｳﾃﾝ', 'ﾃｼｶﾞﾜﾗ', 'ﾜﾗｼﾖｳ', 'ﾗｼﾖ']) {
      await reads(`/crm/companies?search=${encoded(term)}`, /crm_companies_search/, PAGE, rare);
      await reads(`/crm/companies?search=${encoded(term)}&skip_total=true`, /_search/, 2_000 + PAGE, rare);
    }
    await reads(`/crm/contacts?search=${encoded('ﾃｼｶﾞﾜﾗ')}`, /crm_contacts_search/, PAGE, 2 * rare);
    const frequent = `/crm/contacts?search=${encoded('ｼﾖｳﾀ')}&skip_total=true&limit=10`;
    await reads(frequent, /_pkey$/, 2_000 + PAGE, 10);
    await reads(`/crm/contacts?search=${encoded('渡邊鑢')}`, /crm_contacts_search/, PAGE, 0);
  });

  test('across kinds', async () => {
    await reads(`/crm/search?q=${encoded(RARE.two)}`, /_search/, 7_000);
    await reads(`/crm/search?q=${encoded('鑢山')}`, /_search/, 7_000, 0);
  });
});

describe('the board and the timeline', () => {
  test('the board reads its cards and an index for the sums', async () => {
    const { indexes, whole } = await planned.plansOf(async () => {
      const reply = await client.get(`/crm/pipelines/${pipeline_id}/board?limit=10`);
      assert.equal(reply.status, 200, reply.text);
      assert.equal(reply.body.board.stages[0].deals.length, 10);
    });
    assert.ok(indexes.has('crm_deals_on_board'), [...indexes].join());
    assert.deepEqual(
      [...whole].filter((table) => !SMALL.has(table)),
      [],
    );
  });

  test('the timeline of a company', async () => {
    await reads(`/crm/timeline?company_id=${companies[77]}`, /crm_activities_by_company/, 1_000);
  });
});

test('duplicates of companies are grouped along the index of names in usual letters', async () => {
  const { indexes, whole } = await planned.plansOf(async () => {
    const reply = await client.get('/crm/duplicates?kind=company');
    assert.equal(reply.status, 200, reply.text);
  });
  assert.ok(indexes.has('crm_companies_by_usual_name'), [...indexes, ...whole].join());
});
