import { deepEqual, equal } from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { EVERY_ORGANIZATION } from '../../../shared/db/database.ts';
import { foldRowCounts } from '../../../shared/db/row-counts.ts';
import { transaction } from '../../../shared/db/transaction.ts';
import type { Connection } from '../../../shared/kernel/connection.ts';
import { newActor } from '../../support/actors.ts';
import { startApp } from '../../support/app.ts';
import { freshDatabase } from '../../support/database.ts';
import { newSeller } from '../../support/documents.ts';
import { seedContacts } from '../../support/many-contacts.ts';
import { drawsOf } from '../../support/random-draws.ts';

const { database, drop } = await freshDatabase();
after(drop);

const SUM = '00000000-0000-0000-0000-000000000000';

const ORGANIZATIONS = ['org_a', 'org_b', 'org_c'];

const within = <T>(run: (connection: Connection) => Promise<T>) =>
  database.withConnection(EVERY_ORGANIZATION, run);

const fold = (signal = new AbortController().signal) => foldRowCounts(database, new Date(), signal);

/** What the ledger says of each organization's suppressions beside what there are, in one snapshot. */
const COMPARED = `
  SELECT coalesce((SELECT sum(rows) FROM row_counts WHERE counted = 'suppressions' AND organization_id = organization), 0)::integer AS told,
         (SELECT count(*) FROM suppressions WHERE organization_id = organization)::integer AS there
    FROM unnest($1::text[]) AS organization ORDER BY organization`;

const compared = () =>
  within(({ query }) => query<{ told: number; there: number }>(COMPARED, [ORGANIZATIONS]));

/** Adds suppressions of addresses, some of which may be there. */
function adding({ query }: Connection, organization: string, from: number, count: number) {
  return query(
    `INSERT INTO suppressions (organization_id, id, email_hash, reason, created_at, updated_at)
     SELECT $1, 'supp_' || number, decode(md5(number::text), 'hex'), 'manual', now(), now()
       FROM generate_series($2::integer, $3::integer) AS number
       ON CONFLICT (organization_id, email_hash) DO UPDATE SET updated_at = now()`,
    [organization, from, from + count - 1],
  );
}

function removing({ query }: Connection, organization: string, from: number, count: number) {
  return query(
    `DELETE FROM suppressions WHERE organization_id = $1 AND id IN
       (SELECT 'supp_' || number FROM generate_series($2::integer, $3::integer) AS number)`,
    [organization, from, from + count - 1],
  );
}

class Abandoned extends Error {}

/** Some statements about addresses of one's own in one transaction, which now and then is given up. */
async function turn(connection: Connection, own: number, draws: ReturnType<typeof drawsOf>): Promise<void> {
  await transaction(connection, async () => {
    for (let left = draws.between(1, 3); left > 0; left -= 1) {
      const change = draws.chance(60) ? adding : removing;
      await change(connection, draws.among(ORGANIZATIONS), own + draws.below(60), draws.below(20));
    }
    if (draws.chance(25)) throw new Abandoned();
  }).catch((error: unknown) => {
    if (!(error instanceof Abandoned)) throw error;
  });
}

describe('the ledger of rows', () => {
  test('says what a count finds, at every moment beside writers, givers-up and folding', async () => {
    let writing = 6;
    const writers = Array.from({ length: writing }, (_, at) =>
      within(async (connection) => {
        const draws = drawsOf(at);
        for (let left = 40; left > 0; left -= 1) await turn(connection, at * 100, draws);
      }).finally(() => {
        writing -= 1;
      }),
    );
    const folders = [0, 1].map(async () => {
      while (writing > 0) await fold();
    });
    const reader = (async () => {
      while (writing > 0) for (const { told, there } of await compared()) equal(told, there);
    })();
    await Promise.all([...writers, ...folders, reader]);
    const last = await compared();
    for (const { told, there } of last) equal(told, there);
    await fold();
    deepEqual(await compared(), last);
    const lines = await within(({ query }) =>
      query("SELECT 1 FROM row_counts WHERE counted = 'suppressions' AND line <> $1", [SUM]),
    );
    equal(lines.length, 0);
  });

  test('counts as much as one statement adds as one line, and folds more than one batch', async () => {
    const actor = await newActor(database);
    await seedContacts(database, actor, 3_000);
    const lines = await within(({ query }) =>
      query<{ rows: number }>('SELECT rows FROM row_counts WHERE organization_id = $1 AND counted = $2', [
        actor.organization_id,
        'crm_contacts',
      ]),
    );
    equal(
      lines.reduce((sum, { rows }) => sum + rows, 0),
      3_000,
    );
    await within(({ query }) =>
      query(`INSERT INTO row_counts (organization_id, counted, kind, rows)
             SELECT 'org_long', 'suppressions', '', 1 FROM generate_series(1, 12000)`),
    );
    await fold();
    deepEqual(
      await within(({ query }) =>
        query("SELECT line, rows FROM row_counts WHERE organization_id = 'org_long'"),
      ),
      [{ line: SUM, rows: 12_000 }],
    );
  });

  test('is what lists tell their totals by, of each kind by itself', async () => {
    const app = await startApp();
    const seller = await newSeller(app);
    const totalOf = async (path: string) => (await seller.get(path)).body.total;
    await seller.draft('quotation');
    await seller.draft('invoice');
    await seller.draft('invoice');
    equal(await totalOf('/quotations'), 1);
    equal(await totalOf('/invoices'), 2);
    const before = await totalOf('/crm/companies');
    const survivor = await seller.make('/crm/companies', { name: '青井商店' });
    equal(await totalOf('/crm/companies'), before + 1);
    const merged = await seller.post(`/crm/companies/${survivor.id}/merge`, { loser_id: seller.company.id });
    equal(merged.status, 200, merged.text);
    equal(await totalOf('/crm/companies'), before);
    equal(await totalOf('/crm/companies?skip_total=true'), -1);
    equal(await totalOf('/crm/companies?created_before=2020-01-01T00:00:00Z'), 0);
    equal((await (await app.actor()).get('/crm/companies')).body.total, 0);
  });
});
