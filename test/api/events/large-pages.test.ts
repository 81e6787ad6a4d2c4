import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';

const app = await startApp();

test('a page of large events is shorter than was asked for, and none is skipped or told twice', async () => {
  const client = await app.actor();
  const large = (n: number) =>
    Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, `${n}`.padEnd(500, '漢')]));
  const { body } = await client.post('/crm/contacts', {
    first_name: 'A',
    last_name: 'B',
    metadata: large(0),
  });
  const CHANGES = 80;
  for (let n = 1; n <= CHANGES; n += 1) {
    const reply = await client.patch(`/crm/contacts/${body.contact.id}`, { metadata: large(n) });
    assert.equal(reply.status, 200, reply.text);
  }
  for (const order of ['asc', 'desc']) {
    const told: string[] = [];
    const pages: number[] = [];
    for (let more = true; more; ) {
      const after = told.length > 0 ? `&starting_after=${told.at(-1)}` : '';
      const page = await client.get(`/events?order=${order}&limit=100${after}`);
      assert.ok(Buffer.byteLength(page.text) < 8_500_000, `${Buffer.byteLength(page.text)} bytes`);
      told.push(...page.body.data.map(({ id }: { id: string }) => id));
      pages.push(page.body.data.length);
      more = page.body.has_more;
    }
    assert.equal(told.length, CHANGES + 1);
    assert.equal(new Set(told).size, told.length);
    assert.ok(pages.length > 1 && pages.every((length) => length > 0), pages.join());
  }
});
