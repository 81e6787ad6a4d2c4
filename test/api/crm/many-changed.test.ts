import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { FACTS_TOGETHER } from '../../../shared/kernel/work.ts';
import type { TestActor } from '../../support/actors.ts';
import { startApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { freshDatabase } from '../../support/database.ts';
import { seedContacts } from '../../support/many-contacts.ts';
import { seedCompanies, seedDeals } from '../../support/many-records.ts';

/** What one call changes in very many records is read and sent in pieces: an organization may have a hundred thousand. */
let longest = 0;
const own = await freshDatabase({
  on_statement: (_, values) => {
    longest = Math.max(longest, JSON.stringify(values).length);
  },
});
const app = await startApp({ database: own });
after(() => own.drop());

type Making = (
  client: Client & { actor: TestActor },
  count: number,
) => Promise<() => ReturnType<Client['get']>>;

/** The most characters of values that a statement of the call had, which changes so many records. */
async function mostSent(making: Making, count: number): Promise<number> {
  const client = await app.actor();
  const call = await making(client, count);
  longest = 0;
  const reply = await call();
  assert.equal(reply.status, 200, reply.text);
  return longest;
}

async function grows(making: Making): Promise<void> {
  const few = await mostSent(making, FACTS_TOGETHER);
  const many = await mostSent(making, 4 * FACTS_TOGETHER);
  assert.ok(many < 2 * few, `${many} characters for four times as many records, ${few} before`);
}

const withField =
  (kind: 'company' | 'contact' | 'deal'): Making =>
  async (client, count) => {
    const { organization_id } = client.actor;
    const companies = await seedCompanies(own.database, client.actor, kind === 'company' ? count : 1);
    if (kind === 'contact') await seedContacts(own.database, client.actor, count);
    if (kind === 'deal') await seedDeals(own.database, client.actor, companies, count);
    const { body } = await client.post('/crm/custom-fields', { kind, key: 'rank', type: 'text' });
    const table = { company: 'crm_companies', contact: 'crm_contacts', deal: 'crm_deals' }[kind];
    await own.database.withConnection(organization_id, ({ query }) =>
      query(`UPDATE ${table} SET custom_fields = '{"rank": "A"}' WHERE organization_id = $1`, [
        organization_id,
      ]),
    );
    return () => client.delete(`/crm/custom-fields/${body.custom_field.id}`);
  };

describe('the statements of a call that changes many records stay as long as they are', () => {
  for (const kind of ['company', 'contact', 'deal'] as const) {
    test(`a custom field of each ${kind} goes`, () => grows(withField(kind)));
  }

  test('the stages of a pipeline are others', () =>
    grows(async (client, count) => {
      const companies = await seedCompanies(own.database, client.actor, 1);
      const pipeline_id = await seedDeals(own.database, client.actor, companies, count);
      return () => client.patch(`/crm/pipelines/${pipeline_id}`, { stages: [{ name: 'A', slug: 'a' }] });
    }));
});
