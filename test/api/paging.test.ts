import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { endpoints } from '../../api/endpoints.ts';
import { newId } from '../../shared/kernel/id.ts';
import { startApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';

const app = await startApp();
const client = await app.actor();

type Contact = {
  id: string;
  first_name: string;
  last_name: string;
  email: string | null;
  created_at: string;
};

const all: Contact[] = [];

before(async () => {
  const other = await app.actor();
  await other.post('/crm/contacts', { first_name: '他', last_name: '社' });
  for (let n = 0; n < 40; n++) {
    const reply = await client.post('/crm/contacts', {
      first_name: ['葵', '蓮', 'Ann', 'ann'][n % 4],
      last_name: ['森', '林', '佐藤'][n % 3],
      email: n % 5 === 0 ? null : `p${n % 7}@example.com`,
    });
    assert.equal(reply.status, 201, reply.text);
    all.push(reply.body.contact);
  }
});

const field = fc.constantFrom('created_at', 'updated_at', 'name', 'first_name', 'last_name', 'email');
const direction = fc.constantFrom('asc', 'desc');
const sorting = fc.uniqueArray(fc.tuple(field, direction), { maxLength: 3, selector: ([name]) => name });

/** Reads a list to its end in one of its forms. */
async function readAll(reader: Client, form: string, size: number, sort: string): Promise<Contact[]> {
  const rows: Contact[] = [];
  const order = sort && `&sort=${sort}`;
  for (let page = 0; page < 60; page++) {
    const parameters = {
      offset: `limit=${size}&offset=${page * size}`,
      page: `page=${page + 1}&per_page=${size}`,
      cursor:
        rows.length === 0
          ? `cursor_mode=true&limit=${size}`
          : `starting_after=${rows.at(-1)!.id}&limit=${size}`,
    }[form];
    const { body, status, text } = await reader.get(`/crm/contacts?${parameters}${order}`);
    assert.equal(status, 200, text);
    const found = body.items ?? body.data;
    rows.push(...found);
    if (found.length < size || body.has_more === false) return rows;
  }
  throw new Error('The list has no end');
}

describe('every list', () => {
  test('has each row once in any form, page size and order, and the same order in all forms', async () => {
    await fc.assert(
      fc.asyncProperty(sorting, fc.integer({ min: 1, max: 25 }), async (keys, size) => {
        const sort = keys.map((key) => key.join(':')).join(',');
        const lists = await Promise.all(
          ['offset', 'page', 'cursor'].map((form) => readAll(client, form, size, sort)),
        );
        const ids = lists.map((rows) => rows.map(({ id }) => id));
        assert.equal(new Set(ids[0]).size, all.length);
        assert.deepEqual(ids[1], ids[0]);
        assert.deepEqual(ids[2], ids[0]);
      }),
      { numRuns: 30 },
    );
  });

  test('is in the asked order, ties by ID', async () => {
    const rows = await readAll(client, 'cursor', 7, 'email:asc');
    const sorted = all.toSorted((left, right) => {
      if (left.email === right.email) return left.id < right.id ? -1 : 1;
      if (left.email === null) return 1;
      if (right.email === null) return -1;
      return left.email < right.email ? -1 : 1;
    });
    assert.deepEqual(
      rows.map(({ id }) => id),
      sorted.map(({ id }) => id),
    );
  });

  test('is in the order of each field that it names', async () => {
    for (const endpoint of endpoints) {
      if (endpoint.kind !== 'list' || endpoint.path.includes(':')) continue;
      if (endpoint.scope === 'account' || endpoint.session) continue;
      for (const sort of endpoint.list.sorts) {
        const { status, text } = await client.get(
          `${endpoint.path.replace('/api/v1', '')}?sort=${sort}:desc`,
        );
        assert.equal(status, 200, `${endpoint.id} ${sort} ${text}`);
      }
    }
  });

  test('is newest first unless said otherwise', async () => {
    const rows = await readAll(client, 'offset', 50, '');
    assert.deepEqual(
      rows.map(({ id }) => id),
      all.map(({ id }) => id).toReversed(),
    );
  });

  test('a cursor works on when its row was deleted, in the default order; in another it is refused', async () => {
    const own = await app.actor();
    const made: string[] = [];
    for (let n = 0; n < 5; n++) {
      made.push((await own.post('/crm/contacts', { first_name: String(n), last_name: 'x' })).body.contact.id);
    }
    await own.delete(`/crm/contacts/${made[2]}`);
    const { body } = await own.get(`/crm/contacts?starting_after=${made[2]}`);
    assert.deepEqual(
      body.data.map(({ id }: Contact) => id),
      [made[1], made[0]],
    );
    const sorted = await own.get(`/crm/contacts?starting_after=${made[2]}&sort=name:asc`);
    assert.equal(sorted.body.code, 'invalid_cursor');
  });

  test('takes times of creation: from the first on, up to the second', async () => {
    const middle = all[20]!;
    const since = await client.get(`/crm/contacts?created_after=${middle.created_at}&limit=100`);
    const until = await client.get(`/crm/contacts?created_before=${middle.created_at}&limit=100`);
    assert.ok(since.body.items.some(({ id }: Contact) => id === middle.id));
    assert.ok(!until.body.items.some(({ id }: Contact) => id === middle.id));
    assert.equal(since.body.total + until.body.total, all.length);
  });

  test('skips the count when asked', async () => {
    assert.equal((await client.get('/crm/contacts?skip_total=true')).body.total, -1);
    const { pagination } = (await client.get('/crm/contacts?page=1&skip_total=true')).body;
    assert.deepEqual(pagination, { page: 1, per_page: 50, total: -1, total_pages: -1 });
  });

  test('422 for mixed forms, unknown sorts, too much, too little, twice', async () => {
    const wrong = {
      'page=1&offset=0': 'mixed_paging',
      'page=1&limit=5': 'mixed_paging',
      'starting_after=cont_1&offset=3': 'mixed_paging',
      'limit=201': 'too_large',
      'limit=0': 'too_small',
      'limit=ten': 'invalid_format',
      'per_page=101': 'too_large',
      'page=0': 'too_small',
      'sort=note:asc': 'invalid_value',
      'sort=name:up': 'invalid_value',
      'sort=name:asc,name:desc': 'invalid_value',
      'limit=5&limit=6': 'repeated_parameter',
      'created_after=yesterday': 'invalid_format',
      'serch=x': 'unknown_parameter',
    };
    for (const [query, code] of Object.entries(wrong)) {
      const reply = await client.get(`/crm/contacts?${query}`);
      assert.equal(reply.status, 422, `${query}: ${reply.text}`);
      assert.equal(reply.body.errors[0].code, code, query);
    }
  });

  test('names the parameters that do not go together', async () => {
    const { detail } = (await client.get('/crm/contacts?page=1&limit=5')).body;
    assert.equal(detail, 'page and limit belong to different forms of paging; use those of one');
  });

  test('names the parameters that there are beside one that is none', async () => {
    const message = async (path: string) => (await client.get(path)).body.errors[0].message;
    const told = await message('/crm/contacts?serch=x');
    assert.match(
      told,
      /^serch is no parameter of this endpoint, which takes .*\bsearch, .*limit, offset, page, /,
    );
    for (const { query, id } of endpoints) assert.ok(query === undefined || query instanceof z.ZodObject, id);
    const none = await message(`/crm/contacts/${newId('cont', new Date())}?serch=x`);
    assert.equal(none, 'serch is no parameter of this endpoint, which takes none');
  });

  test('400 for cursors that are none', async () => {
    for (const cursor of ['x', 'comp_01kaj2n5w5fq8b4m0g3v7x9rtc', "cont_'%20OR%201=1"]) {
      const reply = await client.get(`/crm/contacts?starting_after=${cursor}`);
      assert.equal(reply.body.code, 'invalid_cursor', reply.text);
    }
  });

  test('a search takes %, _ and \\ as letters, and any letters at all', async () => {
    const own = await app.actor();
    await own.post('/crm/contacts', { first_name: '100%', last_name: 'a_b\\c' });
    await own.post('/crm/contacts', { first_name: 'plain', last_name: 'name' });
    for (const [term, total] of [
      ['%', 1],
      ['_', 1],
      ['\\', 1],
      ['0%', 1],
      ['a_b', 1],
      ['plain', 1],
      ['%%%', 0],
    ] as const) {
      const { body } = await own.get(`/crm/contacts?search=${encodeURIComponent(term)}`);
      assert.equal(body.total, total, term);
    }
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 12, unit: 'grapheme' }), async (term) => {
        const reply = await own.get(`/crm/contacts?search=${encodeURIComponent(term)}`);
        assert.ok(reply.status === 200 || reply.status === 422, `${JSON.stringify(term)}: ${reply.text}`);
      }),
      { numRuns: 60 },
    );
  });
});
