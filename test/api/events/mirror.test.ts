import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openApi } from '../../../api/openapi.ts';
import { startApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { newSales } from '../../support/deals.ts';

/**
 * What the guide to events promises: who takes the events alone, from the first one on, has the records that the lists
 * have, in every member that is not computed, whatever was done to them and however much at the same time.
 */
const app = await startApp();

const KINDS = {
  company: { path: '/crm/companies', schema: 'Company' },
  contact: { path: '/crm/contacts', schema: 'Contact' },
  deal: { path: '/crm/deals', schema: 'Deal' },
} as const;

type Kind = keyof typeof KINDS;

const kinds = Object.keys(KINDS) as Kind[];

// biome-ignore lint/suspicious/noExplicitAny: records of any kind, compared as a whole.
type Shown = any;

/** One thing that a user or a program does; numbers choose among what there is. */
type Action = { what: number; kind: Kind; first: number; second: number; word: string };

const action: fc.Arbitrary<Action> = fc.record({
  what: fc.nat({ max: 13 }),
  kind: fc.constantFrom(...kinds),
  first: fc.nat(1_000),
  second: fc.nat(1_000),
  word: fc.constantFrom('山田', '佐藤', 'A', 'ﾃｽﾄ', '髙﨑', 'x y'),
});

/** The organization that actions are done in, with the IDs of what was made. */
type Office = {
  client: Client;
  ids: Record<Kind | 'tag' | 'field', string[]>;
  stages: string[];
};

async function newOffice(): Promise<Office> {
  const client = await newSales(app);
  const stages = Object.values(client.stage);
  return { client, ids: { company: [], contact: [], deal: [], tag: [], field: [] }, stages };
}

const nameOf = (kind: Kind, word: string) =>
  kind === 'contact' ? { last_name: word, first_name: '花' } : { name: word };

/** Does one thing. Refusals are a part of life: a record is gone, a name is in use. */
async function act(office: Office, { what, kind, first, second, word }: Action): Promise<void> {
  const { client, ids, stages } = office;
  const { path } = KINDS[kind];
  const pick = (of: keyof Office['ids'], by: number) => ids[of][by % Math.max(ids[of].length, 1)] ?? 'none';
  const [one, other] = [pick(kind, first), pick(kind, second)];
  const key = `K-${first % 12}`;
  const links = {
    ...(kind !== 'company' && ids.company.length > 0 && { company_id: pick('company', second) }),
    ...(kind === 'deal' && ids.contact.length > 0 && { contact_ids: [pick('contact', second)] }),
  };
  const fresh = {
    ...nameOf(kind, word),
    ...(kind === 'deal' && { stage_id: stages[first % stages.length] }),
  };
  const replies = {
    create: () => client.post(path, { ...fresh, ...links, metadata: { n: String(first) } }),
    upsert: () =>
      client.put(`${path}/by-external-id/${key}`, { ...fresh, metadata: { [word[0]!]: null, m: 'x' } }),
    rename: () => client.patch(`${path}/${one}`, nameOf(kind, word)),
    link: () => client.patch(`${path}/${one}`, kind === 'company' ? { parent_id: other } : links),
    key: () => client.patch(`${path}/${one}`, { external_id: second % 2 ? key : null }),
    delete: () => client.delete(`${path}/${one}`),
    merge: () => client.post(`${path}/${one}/merge`, { loser_id: other }),
    move: () =>
      client.post(`/crm/deals/${pick('deal', first)}/move`, { stage_id: stages[second % stages.length] }),
    tag: () => client.post('/crm/tags', { name: `${word}${first}` }),
    assign: () =>
      client.post('/crm/tag-assignments', {
        tag_id: pick('tag', second),
        resource_type: kind,
        resource_id: one,
      }),
    untag: () => client.delete(`/crm/tags/${pick('tag', first)}`),
    field: () => client.post('/crm/custom-fields', { kind, key: `f${first % 5}`, type: 'text' }),
    unfield: () => client.delete(`/crm/custom-fields/${pick('field', first)}`),
    value: () => client.patch(`${path}/${one}`, { custom_fields: { [`f${second % 5}`]: word } }),
  };
  const chosen = Object.keys(replies)[what] as keyof typeof replies;
  // Deals are not merged.
  if (chosen === 'merge' && kind === 'deal') return;
  const reply = await replies[chosen]();
  assert.ok(reply.status < 500, `${chosen}: ${reply.text}`);
  if (reply.status !== 201) return;
  const made = { create: kind, upsert: kind, tag: 'tag', field: 'field' } as const;
  if (!(chosen in made)) return;
  const [record] = Object.values(reply.body) as [{ id: string }];
  ids[made[chosen as keyof typeof made]].push(record.id);
}

/** The records that follow from the events alone, by kind and ID. */
async function follow(client: Client): Promise<Record<Kind, Map<string, Shown>>> {
  const mirror = { company: new Map(), contact: new Map(), deal: new Map() };
  for (let last = ''; ; ) {
    const { body } = await client.get(
      `/events?order=asc&limit=1000&types=crm.*${last && `&starting_after=${last}`}`,
    );
    for (const { type, data } of body.data as { type: string; data: Shown }[]) {
      const [, kind, happened] = type.split('.') as [string, Kind, string];
      if (!(kind in mirror)) continue;
      const known = mirror[kind].get(data.id);
      if (happened === 'deleted') mirror[kind].delete(data.id);
      else if (!known || data.updated_at >= known.updated_at) mirror[kind].set(data.id, data);
    }
    last = body.data.at(-1)?.id ?? last;
    if (!body.has_more) return mirror;
  }
}

const schemas = (openApi() as Shown).components.schemas;

/** A record of a list as events carry it: without computed members. Names of tags are joined by their IDs. */
function carried(kind: Kind, record: Shown): Shown {
  const { properties } = schemas[KINDS[kind].schema];
  const kept = Object.entries<Shown>(record).filter(([name]) => !properties[name]['x-computed']);
  return { ...Object.fromEntries(kept), tags: tagIds(record) };
}

const tagIds = ({ tags }: { tags: { id: string }[] }) => tags.map(({ id }) => id).toSorted();

test('a mirror made of events alone equals the lists', async () => {
  const runs = fc.array(fc.array(action, { minLength: 1, maxLength: 6 }), { minLength: 15, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(runs, async (together) => {
      const office = await newOffice();
      for (const actions of together) await Promise.all(actions.map((each) => act(office, each)));
      const mirror = await follow(office.client);
      for (const kind of kinds) {
        const { items } = (await office.client.get(`${KINDS[kind].path}?limit=200`)).body;
        const listed = items.map((record: Shown) => carried(kind, record));
        const mirrored = [...mirror[kind].values()].map((data) => ({ ...data, tags: tagIds(data) }));
        const byId = (a: Shown, b: Shown) => (a.id < b.id ? -1 : 1);
        assert.deepEqual(mirrored.toSorted(byId), listed.toSorted(byId));
      }
    }),
    { numRuns: 15, endOnFailure: true },
  );
});
