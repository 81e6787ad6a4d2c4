import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { signSweeps } from '../../shared/sign/life/sweeps.ts';
import { signMeasures } from '../../shared/sign/measures.ts';
import { newActor } from '../support/actors.ts';
import { seedCompanies } from '../support/many-records.ts';
import { nthHash, seedSignings } from '../support/many-signings.ts';
import { assertReads, assertSweeps, plannedApp } from '../support/plans.ts';
import { guestOf } from '../support/signing-guests.ts';

/**
 * What lists, sweeps, measures, guests and those who verify read at 100,000 documents in two organizations: the index that
 * serves it, and how many rows are looked at.
 */
const MANY = 80_000;
const OTHERS = 20_000;
const SMALL = new Set([
  'api_keys',
  'api_key_hashes',
  'members',
  'users',
  'organizations',
  'sign_settings',
  'sign_codes',
  'sign_accesses',
  'sign_reminders',
  'sign_seal_certificates',
  'crm_aliases',
  'links',
  'link_keys',
  'link_generations',
]);

const planned = await plannedApp();
const { app } = planned;
const { database } = app;
const client = await app.actor();
const { organization_id } = client.actor;
const { ids, signer_ids, companies, last_day } = await planned.fill(async () => {
  await seedSignings(database, await newActor(database), { count: OTHERS });
  const owned = await seedCompanies(database, client.actor, 500);
  return {
    companies: owned,
    ...(await seedSignings(database, client.actor, { count: MANY, companies: owned })),
  };
});
/** Who sees what is there for all, which is little. */
const colleague = await app.actor({ organization_id, role: 'member' });

/** Rows of a page of 50: documents, signers, files of two kinds. */
const PAGE = 51 * 4 + 20;

function reads(what: string, query: string, index: RegExp, found: number, most = PAGE): void {
  const path = `/sign/documents?skip_total=true&limit=50${query}`;
  test(what, () => assertReads(planned, client, SMALL, { path, index, most, found }));
}

describe('the list of documents reads', () => {
  reads('the newest', '', /sign_documents_(living|pkey)/, 50);
  reads('a page in the middle', `&starting_after=${ids[MANY / 2]}`, /sign_documents_(living|pkey)/, 50);
  for (const [sort, index] of [
    ['sent_at:desc', /by_sending/],
    ['expires_at:asc', /by_expiry/],
    ['transaction_date:desc', /by_date/],
    ['amount:asc', /by_amount/],
    ['title:asc', /by_title/],
    ['updated_at:desc', /by_change/],
  ] as const) {
    reads(`a page by ${sort}`, `&sort=${sort}`, index, 50, PAGE * 2);
  }
  reads('those of a status', '&status=sent', /by_status/, 50);
  reads('those that need attention', '&needs_attention=true', /in_need/, 50);
  reads('those of a company', `&company_id=${companies[7]}`, /by_company/, 50, PAGE * 3);
  reads('those of an address', '&signer_email=signer77@example.jp', /signers_by_email/, 16);
  reads('those of a day', `&transaction_date_from=${last_day}`, /by_date/, 0);
  reads('those of an amount', '&amount_min=1100&amount_max=2200', /by_amount/, 2);
  reads('those of an own ID', '&external_id=K-1', /external_id/, 0);
  reads('one with a rare word', `&search=${encodeURIComponent('勅使河原')}`, /search/, 8, 2_000 + PAGE);

  for (const [what, query, found] of [
    ['the newest', '', 40],
    ['those by date', '&sort=transaction_date:desc', 40],
    ['drafts', '&status=draft', 0],
  ] as const) {
    test(`${what}, for who sees 40 of them`, () =>
      assertReads(planned, colleague, SMALL, {
        path: `/sign/documents?skip_total=true&limit=50${query}`,
        index: /sign_documents_for_all/,
        most: PAGE * 2,
        found,
      }));
  }
});

describe('one document reads', () => {
  const path = `/sign/documents/${ids[70_000]}`;
  for (const [what, more] of [
    ['its rows', ''],
    ['its trail', '/events?skip_total=true'],
  ] as const) {
    test(what, () => readsAtMost(30, () => client.get(`${path}${more}`)));
  }

  test('what a guest sees of it, without access', async () => {
    const guest = await guestOf(app, organization_id, signer_ids[9]!);
    await readsAtMost(30, () => guest.get());
  });
});

/** What a call read: none of the tables that grow as a whole, and no more rows than said. */
async function readsAtMost(
  most: number,
  call: () => Promise<{ status: number; text: string }>,
): Promise<void> {
  const { whole, rows } = await planned.plansOf(async () => {
    const { status, text } = await call();
    assert.equal(status, 200, text);
  });
  assert.deepEqual(
    [...whole].filter((table) => !SMALL.has(table)),
    [],
  );
  assert.ok(rows <= most, `${rows} rows were looked at, more than ${most}`);
}

describe('who verifies reads', () => {
  const verify = (body: object) => () => app.anonymous.post('/sign/verify', body);
  // The other organization has hashes of the same numbers, up to its last.
  const n = 70_000;

  test('the file of a hash: an upload, a sealed file, and none', async () => {
    for (const sha256 of [nthHash(1, n), nthHash(2, n), nthHash(9, n)])
      await readsAtMost(20, verify({ sha256 }));
  });

  test('the trail of a head', () => readsAtMost(20, verify({ document_id: ids[n], head: nthHash(3, n) })));
});

describe('what is due is read by its time', () => {
  const indexes: Record<string, RegExp> = {
    sign_expiries: /documents_expiring/,
    sign_warnings: /documents_to_warn/,
    sign_reminders: /signers_to_remind/,
    sign_sealings: /documents_sealing/,
    sign_renewals: /documents_to_renew/,
    sign_mail_endings: /sign_mails_open/,
  };
  for (const { name, run } of signSweeps) {
    test(name, () =>
      assertSweeps(planned, () => run(database, new Date(), new AbortController().signal), SMALL, {
        indexes: [indexes[name]!],
        most: 300,
      }),
    );
  }

  for (const { name, query } of signMeasures) {
    test(`the measure ${name}`, async () => {
      const { whole } = await planned.plansOf(() =>
        database.withConnection('*', (connection) => connection.query(query)),
      );
      assert.deepEqual([...whole], []);
    });
  }
});
