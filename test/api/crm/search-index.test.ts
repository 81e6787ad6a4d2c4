import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { contactPage } from '../../../shared/crm/contacts/queries.ts';
import type { Connection } from '../../../shared/kernel/connection.ts';
import { type Reader, systemActor } from '../../../shared/kernel/reader.ts';
import type { Window } from '../../../shared/kernel/window.ts';
import type { TestActor } from '../../support/actors.ts';
import { newActor } from '../../support/actors.ts';
import { freshDatabase } from '../../support/database.ts';
import { RARE, seedContacts } from '../../support/many-contacts.ts';

const ROWS = 100_000;
/** The newest rows, which every search looks through before it asks the index of letters. */
const NEWEST = 2_000;

const { database, drop } = await freshDatabase();
let actor: TestActor;

before(async () => {
  actor = await newActor(database);
  await seedContacts(database, actor, ROWS);
  await database.withConnection('*', ({ query }) => query('ANALYZE crm_contacts'));
});

test.after(drop);

type Node = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Node[];
};

/** Runs a search of the first page, and again under EXPLAIN: its rows, the indexes used, the contacts read. */
async function explained(typed: string, count: boolean, sort: Window['sort'] = []) {
  return database.withConnection(actor.organization_id, async (connection) => {
    const asked: { text: string; values: readonly unknown[] }[] = [];
    const listening: Connection = {
      ...connection,
      knex: connection.knex,
      query: (text, values = [], options) => {
        asked.push({ text, values });
        return connection.query(text, values, options);
      },
    };
    const window: Window = {
      form: count ? 'offset' : 'cursor',
      limit: 50,
      offset: 0,
      starting_after: null,
      sort,
      created_after: null,
      created_before: null,
      count,
    };
    const page = await contactPage(readerOf(listening), { search: typed }, window);
    const nodes: Node[] = [];
    for (const { text, values } of asked.filter(({ text }) => text.includes('search_'))) {
      const [row] = await connection.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        values,
        { prepared: false },
      );
      nodes.push(...flat(row!['QUERY PLAN'][0].Plan));
    }
    const scans = nodes.filter((node) => node['Relation Name'] === 'crm_contacts');
    return {
      page,
      indexes: new Set(nodes.flatMap((node) => node['Index Name'] ?? [])),
      read: scans.reduce((sum, node) => sum + rowsRead(node), 0),
      seqScans: scans.filter((node) => node['Node Type'] === 'Seq Scan').length,
    };
  });
}

function readerOf(connection: Connection): Reader {
  return {
    connection,
    organization_id: actor.organization_id,
    actor: systemActor,
    now: new Date(),
    request_id: null,
    ip_address: null,
  };
}

function flat(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(flat)];
}

function rowsRead(node: Node): number {
  const once =
    node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return once * node['Actual Loops'];
}

describe(`among ${ROWS} contacts of one organization`, () => {
  for (const [letters, typed] of Object.entries(RARE)) {
    for (const count of [false, true]) {
      test(`a rare name is found by the index with ${letters} letter(s)${count ? ', total included' : ''}`, async () => {
        const { page, indexes, read, seqScans } = await explained(typed, count);
        assert.equal(page.rows.length, ROWS / 10_000);
        assert.ok(page.rows.every(({ last_name }) => last_name.includes(typed)));
        assert.equal(page.total, count ? ROWS / 10_000 : -1);
        assert.ok(indexes.has('crm_contacts_search'), [...indexes].join());
        assert.equal(seqScans, 0);
        assert.ok(read <= NEWEST + 100, `${read} rows read`);
      });
    }
  }

  test('a name that nobody has is told by the index', async () => {
    const { page, indexes, read } = await explained('鬱', false);
    assert.deepEqual(page.rows, []);
    assert.ok(indexes.has('crm_contacts_search'));
    assert.ok(read <= NEWEST, `${read} rows read`);
  });

  test('a rare name is found by the index in the order of names too', async () => {
    const { page, indexes, read } = await explained(RARE.two, false, [{ field: 'name', direction: 'asc' }]);
    assert.equal(page.rows.length, ROWS / 10_000);
    assert.ok(indexes.has('crm_contacts_search'));
    assert.ok(read <= 100, `${read} rows read`);
  });

  test('a frequent name fills its page from the newest rows', async () => {
    const { page, read } = await explained('田中', false);
    assert.equal(page.rows.length, 50);
    assert.equal(page.has_more, true);
    assert.ok(read <= NEWEST, `${read} rows read`);
  });
});
