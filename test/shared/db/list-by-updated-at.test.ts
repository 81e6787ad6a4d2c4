import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { newId } from '../../../shared/kernel/id.ts';
import { startApp } from '../../support/app.ts';

const app = await startApp();

const START = Date.parse('2026-04-01T00:00:00.000Z');

type Made = { id: string; created_at: string; updated_at: string };

/** Contacts at these milliseconds; `changed` is how long after that, 0 for never. Several share their times. */
const contacts = fc.array(
  fc.record({ at: fc.nat(40), changed: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40 })) }),
  { minLength: 1, maxLength: 60 },
);

async function organizationWith(rows: { at: number; changed: number }[]) {
  const client = await app.actor();
  const { organization_id } = client.actor;
  const made = rows.map(({ at, changed }): Made => {
    const created = new Date(START + at);
    const updated_at = new Date(START + at + changed).toISOString();
    return { id: newId('mcont', created), created_at: created.toISOString(), updated_at };
  });
  await app.database.withConnection(organization_id, ({ query }) =>
    query(
      `INSERT INTO mail_contacts (organization_id, id, email, email_key, status, attributes, search_text, created_at,
         updated_at)
       SELECT $1, id, id || '@example.com', id, 'active', '{}', id, created_at, updated_at
         FROM jsonb_populate_recordset(null::mail_contacts, $2::jsonb)`,
      [organization_id, JSON.stringify(made)],
    ),
  );
  return { client, made };
}

function inOrder(made: Made[], direction: 'asc' | 'desc'): string[] {
  const key = ({ updated_at, id }: Made) => `${updated_at} ${id}`;
  const sorted = made.toSorted((left, right) => (key(left) < key(right) ? -1 : 1)).map(({ id }) => id);
  return direction === 'asc' ? sorted : sorted.toReversed();
}

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);

describe('a list by its last change, of a table that indexes changed rows alone', () => {
  for (const direction of ['asc', 'desc'] as const) {
    test(`${direction}: goes through all rows in their order, by cursor and by offset`, async () => {
      await fc.assert(
        fc.asyncProperty(contacts, fc.integer({ min: 1, max: 20 }), async (rows, limit) => {
          const { client, made } = await organizationWith(rows);
          const path = `/mail/contacts?sort=updated_at:${direction}&limit=${limit}`;
          const byCursor: string[] = [];
          for (let next = '&cursor_mode=true'; next !== ''; ) {
            const { data, has_more } = (await client.get(path + next)).body;
            byCursor.push(...idsOf(data));
            next = has_more ? `&starting_after=${data.at(-1).id}` : '';
          }
          const expected = inOrder(made, direction);
          assert.deepEqual(byCursor, expected);
          const offset = Math.floor(made.length / 2);
          const { items, total } = (await client.get(`${path}&offset=${offset}`)).body;
          assert.deepEqual(idsOf(items), expected.slice(offset, offset + limit));
          assert.equal(total, made.length);
        }),
        { numRuns: 25 },
      );
    });
  }

  test('keeps to the filters', async () => {
    const rows = Array.from({ length: 30 }, (_, n) => ({ at: n, changed: n % 3 }));
    const { client, made } = await organizationWith(rows);
    const created_after = new Date(START + 7).toISOString();
    const created_before = new Date(START + 22).toISOString();
    const { data } = (
      await client.get(
        `/mail/contacts?cursor_mode=true&sort=updated_at:desc&created_after=${created_after}&created_before=${created_before}`,
      )
    ).body;
    const between = made.filter((one) => one.created_at >= created_after && one.created_at < created_before);
    assert.deepEqual(idsOf(data), inOrder(between, 'desc'));
    assert.equal(data.length, 15);
  });
});
