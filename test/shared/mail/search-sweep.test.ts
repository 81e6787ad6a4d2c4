import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { transaction } from '../../../shared/db/transaction.ts';
import { systemActor } from '../../../shared/kernel/reader.ts';
import { Work } from '../../../shared/kernel/work.ts';
import { leaveUnindexed } from '../../../shared/mail/contacts/search-index.ts';
import { indexDueContacts } from '../../../shared/mail/contacts/search-sweep.ts';
import { startApp } from '../../support/app.ts';
import { RARE } from '../../support/many-contacts.ts';
import { seedMailContacts } from '../../support/many-mail-contacts.ts';
import { until } from '../../support/until.ts';

const app = await startApp();
const { database } = app;
const running = new AbortController();
after(() => running.abort());

const later = () => new Date(Date.now() + 2 * 3_600_000);
const sweep = () => indexDueContacts(database, later(), running.signal);

async function unindexed(count: number) {
  const client = await app.actor();
  await seedMailContacts(database, client.actor.organization_id, count, { indexed: false });
  const found = async (term: string) =>
    (await client.get(`/mail/contacts?search=${encodeURIComponent(term)}`)).body.total as number;
  return { client, found, organization_id: client.actor.organization_id };
}

function query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return database.withConnection('*', (connection) => connection.query<Row>(text, values));
}

async function indexedCount(organization_id: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    'SELECT count(*) FROM mail_contact_grams WHERE organization_id = $1',
    [organization_id],
  );
  return row!.count;
}

describe('the sweep of what imports left unindexed', () => {
  test('indexes all that is due, and nothing before; searches find the same before and after', async () => {
    const { found, organization_id } = await unindexed(12_345);
    const before = [await found(RARE.two), await found('person12344@'), await found('田中')];
    assert.deepEqual(before.slice(0, 2), [2, 1]);
    assert.equal(await indexDueContacts(database, new Date(), running.signal), 0);
    assert.ok((await sweep()) >= 12_345);
    assert.equal(await indexedCount(organization_id), 12_345);
    assert.deepEqual([await found(RARE.two), await found('person12344@'), await found('田中')], before);
    assert.equal(await sweep(), 0);
  });

  test('run twice at a time leaves every contact indexed once', async () => {
    const { organization_id } = await unindexed(3_000);
    await Promise.all([sweep(), sweep()]);
    assert.equal(await indexedCount(organization_id), 3_000);
    const waiting = await query('SELECT FROM mail_contacts_unindexed WHERE organization_id = $1', [
      organization_id,
    ]);
    assert.equal(waiting.length, 0);
  });

  test('stops when it is told to, and goes on where it was', async () => {
    const { organization_id } = await unindexed(5_000);
    const stopping = new AbortController();
    const stopped = indexDueContacts(database, later(), stopping.signal);
    await until('some are indexed', async () => (await indexedCount(organization_id)) > 0);
    stopping.abort();
    await stopped;
    await sweep();
    assert.equal(await indexedCount(organization_id), 5_000);
  });

  test('never leaves letters of a name that was changed or of a contact that was erased meanwhile', async () => {
    const { client, found, organization_id } = await unindexed(4_000);
    const { items } = (await client.get('/mail/contacts?limit=40')).body;
    const [swept, ...replies] = await Promise.all([
      sweep(),
      ...items.map(({ id }: { id: string }, n: number) =>
        n % 2
          ? client.patch(`/mail/contacts/${id}`, { last_name: `鑢${n}` })
          : client.delete(`/mail/contacts/${id}`),
      ),
    ]);
    assert.ok(swept > 0);
    assert.ok(replies.every(({ status }) => status === 200));
    await sweep();
    assert.equal(await found('鑢'), 20);
    assert.equal(await indexedCount(organization_id), 3_980);
  });
});

describe('contacts that an import changed', () => {
  test('are found by their new name at once, by the old one no more, before and after the sweep', async () => {
    const client = await app.actor();
    const { organization_id } = client.actor;
    const ids: string[] = [];
    for (const last_name of ['鰻田', '林']) {
      const body = { email: `${ids.length}@example.com`, last_name };
      ids.push((await client.post('/mail/contacts', body)).body.contact.id);
    }
    await database.withConnection(organization_id, (connection) =>
      transaction(connection, async (commit) => {
        const work = new Work({
          connection,
          organization_id,
          actor: systemActor,
          now: new Date(),
          request_id: null,
          ip_address: null,
        });
        work.run(
          `UPDATE mail_contacts SET last_name = '勅使', search_text = '勅使' WHERE organization_id = $1 AND id = $2`,
          [organization_id, ids[0]],
        );
        leaveUnindexed(work, { contact_ids: ids });
        work.nothingChanged();
        await commit(work.finish());
      }),
    );
    const found = async (term: string) =>
      (await client.get(`/mail/contacts?search=${encodeURIComponent(term)}`)).body.total;
    for (const when of ['before', 'after']) {
      assert.deepEqual([await found('勅使'), await found('鰻'), await found('林')], [1, 0, 1], when);
      if (when === 'before') assert.equal(await sweep(), 2);
    }
  });
});
