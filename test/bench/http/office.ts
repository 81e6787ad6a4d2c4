import { foldRowCounts } from '../../../shared/db/row-counts.ts';
import { newActor, type TestActor } from '../../support/actors.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { seedContacts } from '../../support/many-contacts.ts';

/** Organizations of one size: each request is that of the next of them. */
export type Offices = { contacts: number; members: { actor: TestActor; contact_id: string }[] };

/** What the servers need beside the address of the database. */
export const SECRETS = { AUTH_SECRET: 'a secret of the benchmark, long enough' };

/** `50,5000x20,100000`: one organization of 50 contacts, 20 of 5,000, one of 100,000. */
const SIZES = (process.env['BENCH_SIZES'] ?? '50,5000x20,100000').split(',').map((size) => {
  const [contacts = 0, organizations = 1] = size.split('x').map(Number);
  return { contacts, organizations };
});

/** One database with organizations of all sizes. */
export async function openOffices(): Promise<TestDatabase & { offices: Offices[] }> {
  const test_database = await freshDatabase({ statement_timeout: 1_800_000 });
  const { database } = test_database;
  const offices: Offices[] = [];
  for (const { contacts, organizations } of SIZES) {
    const members: Offices['members'] = [];
    for (let n = 0; n < organizations; n += 1) {
      const actor = await newActor(database);
      await seedContacts(database, actor, contacts);
      members.push({ actor, contact_id: await contactInTheMiddle(test_database, actor, contacts) });
    }
    offices.push({ contacts, members });
  }
  await database.withConnection('*', ({ query }) => query('VACUUM ANALYZE'));
  return { ...test_database, offices };
}

/**
 * Does what goes on beside a service at work, and not beside the benchmark: adds up the ledger of totals, as workers do every
 * ten seconds, takes new rows into the index of letters and counts how many there are, as autovacuum does within a minute.
 */
export async function tidy({ database }: TestDatabase): Promise<void> {
  await foldRowCounts(database, new Date(), new AbortController().signal);
  await database.withConnection('*', ({ query }) => query('VACUUM (ANALYZE) row_counts, crm_contacts'));
}

async function contactInTheMiddle({ database }: TestDatabase, actor: TestActor, contacts: number) {
  const [row] = await database.withConnection(actor.organization_id, ({ query }) =>
    query<{ id: string }>(
      'SELECT id FROM crm_contacts WHERE organization_id = $1 ORDER BY id OFFSET $2::integer LIMIT 1',
      [actor.organization_id, Math.floor(contacts / 2)],
    ),
  );
  return row!.id;
}
