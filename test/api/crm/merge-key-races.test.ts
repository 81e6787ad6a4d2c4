import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { contact } from '../../support/crm-pairs.ts';

const app = await startApp();

test('a merge of contacts and changes at the same time leave each key with one record', async () => {
  const client = await app.actor();
  const holdersOf = async (key: string): Promise<string[]> => {
    const { items } = (await client.get(`/crm/contacts?external_id=${key}`)).body;
    return items.map(({ id }: { id: string }) => id);
  };
  for (let round = 0; round < 10; round += 1) {
    const survivor = await contact(client, { external_id: `S-${round}` });
    const loser = await contact(client, { external_id: `L-${round}` });
    const other = await contact(client, {});
    const [merged, renamed, changed, taken] = await Promise.all([
      client.post(`/crm/contacts/${survivor.id}/merge`, { loser_id: loser.id }),
      client.patch(`/crm/contacts/${loser.id}`, { external_id: `N-${round}` }),
      client.patch(`/crm/contacts/${survivor.id}`, { metadata: { round: String(round) } }),
      client.patch(`/crm/contacts/${other.id}`, { external_id: `L-${round}` }),
    ]);
    const replies = [merged, renamed, changed, taken].map(({ text }) => text).join('\n');
    assert.deepEqual([merged.status, changed.status], [200, 200], replies);
    const isRenamed = renamed.status === 200;
    assert.ok(isRenamed || renamed.status === 404, replies);
    const [kept, free] = isRenamed ? [`N-${round}`, `L-${round}`] : [`L-${round}`, `N-${round}`];
    assert.deepEqual(await holdersOf(kept), [survivor.id], replies);
    // The key that the loser gave up may be the other's; one that it kept is refused to all but the survivor.
    assert.ok(taken.status === 409 || (isRenamed && taken.status === 200), replies);
    assert.deepEqual(await holdersOf(free), taken.status === 200 ? [other.id] : [], replies);
    assert.deepEqual(await holdersOf(`S-${round}`), [survivor.id]);
    const read = (await client.get(`/crm/contacts/${survivor.id}`)).body.contact;
    assert.deepEqual(read.metadata, { round: String(round) });
  }
});
