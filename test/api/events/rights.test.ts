import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Grant } from '../../../shared/kernel/scope.ts';
import { startApp } from '../../support/app.ts';
import { newSeller, type Seller } from '../../support/documents.ts';

const app = await startApp();

type Shown = { id: string; type: string };

function keyOf({ organization_id }: Seller, ...scopes: Grant[]) {
  return app.actor({ organization_id, scopes });
}

/** An organization with events of two domains that alternate, all of them in their order. */
async function history() {
  const seller = await newSeller(app);
  for (let round = 0; round < 6; round++) {
    await seller.make('/crm/contacts', { first_name: '花子', last_name: `山田${round}` });
    await seller.draft('invoice');
  }
  await seller.after('quotation', ['send', 'accept', 'convert']);
  const all: Shown[] = (await seller.get('/events?order=asc&limit=100')).body.data;
  const domainOf = ({ type }: Shown) => (/^(crm|customer)\./.test(type) ? 'crm' : 'invoicing');
  assert.ok(
    all.some(({ type }) => type === 'customer.created') &&
      all.some(({ type }) => type === 'conversion.completed'),
  );
  return { seller, all, of: (domain: string) => all.filter((event) => domainOf(event) === domain) };
}

/** All that a poller of that page length sees, from a place on. */
async function polled(
  client: Pick<Seller, 'get'>,
  order: 'asc' | 'desc',
  limit: number,
  from = '',
): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor = from; ; ) {
    const query = `order=${order}&limit=${limit}${cursor && `&starting_after=${cursor}`}`;
    const { status, body, text } = await client.get(`/events?${query}`);
    assert.equal(status, 200, text);
    seen.push(...body.data.map(({ id }: Shown) => id));
    if (!body.has_more) return seen;
    assert.equal(body.data.length, limit);
    cursor = seen.at(-1)!;
  }
}

describe('events of domains that a key may not read', () => {
  test('are left out of every page, in both orders, and has_more is right at each edge', async () => {
    const { seller, all, of } = await history();
    const keys = {
      crm: await keyOf(seller, 'events:read', 'crm:read'),
      invoicing: await keyOf(seller, 'events:read', 'invoicing:read', 'crm:write'),
    };
    for (const [domain, key] of Object.entries(keys)) {
      const own = of(domain).map(({ id }) => id);
      for (const limit of [1, 2, own.length - 1, own.length, own.length + 1]) {
        assert.deepEqual(await polled(key, 'asc', limit), own, `${domain} ${limit}`);
        assert.deepEqual(await polled(key, 'desc', limit), own.toReversed(), `${domain} ${limit}`);
      }
    }
    const both = await keyOf(seller, 'events:read', 'crm:read', 'invoicing:read');
    assert.deepEqual(
      await polled(both, 'asc', 3),
      all.map(({ id }) => id),
    );
  });

  test('are 404 by ID, and are a place to go on from all the same', async () => {
    const { seller, all, of } = await history();
    const key = await keyOf(seller, 'events:read', 'crm:read');
    const own = of('crm').map(({ id }) => id);
    for (const { id } of all) {
      assert.equal((await key.get(`/events/${id}`)).status, own.includes(id) ? 200 : 404);
    }
    for (const foreign of of('invoicing')) {
      const place = all.findIndex(({ id }) => id === foreign.id);
      const later = all.slice(place + 1).filter(({ id }) => own.includes(id));
      assert.deepEqual(
        await polled(key, 'asc', 4, foreign.id),
        later.map(({ id }) => id),
      );
    }
  });

  test('403: for a key that reads no domain that has events; a type of another domain lists nothing', async () => {
    const { seller, all } = await history();
    const blind = await keyOf(seller, 'events:read');
    const books = await keyOf(seller, 'events:read', 'accounting:read');
    for (const reply of [
      await blind.get('/events'),
      await blind.get(`/events/${all[0]!.id}`),
      await books.get('/events'),
    ]) {
      assert.deepEqual([reply.status, reply.body.code], [403, 'insufficient_scope']);
      assert.match(reply.body.detail, /add one or more of .*crm:read/);
    }
    const crm = await keyOf(seller, 'events:read', 'crm:read');
    assert.deepEqual((await crm.get('/events?type=invoice.created')).body.data, []);
    assert.equal((await crm.get('/events?type=customer.created')).body.data.length, 1);
  });
});

describe('audit entries', () => {
  test('403: of a domain without its read scope; those of the platform ask for audit:read alone', async () => {
    const { seller } = await history();
    const auditor = await keyOf(seller, 'audit:read', 'crm:read');
    assert.equal((await auditor.get('/crm/audit-logs')).status, 200);
    assert.equal((await auditor.get('/audit-logs')).status, 200);
    for (const [path, scope] of [
      ['/invoices/audit-logs', 'invoicing:read'],
      ['/mail/audit-logs', 'mail:read'],
    ] as const) {
      for (const reply of [await auditor.get(path), await auditor.post(`${path}/export`, {})]) {
        assert.deepEqual([reply.status, reply.body.required_scope], [403, scope], path);
      }
    }
    const reader = await keyOf(seller, 'crm:read');
    assert.equal((await reader.get('/crm/audit-logs')).body.required_scope, 'audit:read');
  });
});
