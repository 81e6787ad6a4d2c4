import assert from 'node:assert/strict';
import { test } from 'node:test';
import { giveKeys, seedCompanies } from '../support/many-records.ts';
import { plannedApp } from '../support/plans.ts';

const COUNT = 150_000;
const ASKED = 100;

const { app, fill } = await plannedApp();

test('100 customers among 150,000 are looked up by their own codes in one call, and written back one call each', async () => {
  const client = await app.actor();
  const { organization_id } = client.actor;
  const ids = await fill(async () => {
    const seeded = await seedCompanies(app.database, client.actor, COUNT);
    await giveKeys(app.database, 'crm_companies', organization_id, { external_id: "'K-' || n" });
    return seeded;
  });
  const codes = Array.from({ length: ASKED }, (_, n) => `K-${1 + n * 1_499}`);
  // What the other system knows and this one does not, too.
  const asked = [...codes.slice(0, ASKED - 3), 'K-150001', 'X-1', 'k-1'];
  const { status, body } = await client.get(`/crm/companies?external_id=${asked.join(',')}&limit=100`);
  assert.equal(status, 200);
  const found = new Map<string, string>(
    body.items.map(({ external_id, id }: { external_id: string; id: string }) => [external_id, id]),
  );
  assert.equal(body.total, ASKED - 3);
  assert.deepEqual(
    asked.filter((code) => !found.has(code)),
    ['K-150001', 'X-1', 'k-1'],
  );
  for (const [code, id] of found) assert.equal(ids[Number(code.slice(2)) - 1], id);

  for (const [code, answered] of [
    [asked[0]!, 200],
    ['X-1', 201],
  ] as const) {
    const written = await client.put(`/crm/companies/by-external-id/${code}`, { name: `${code} 商店` });
    assert.equal(written.status, answered, written.text);
    assert.equal(written.body.company.name, `${code} 商店`);
  }
  const again = await client.get(`/crm/companies?external_id=${asked.join(',')}&limit=100&skip_total=true`);
  assert.equal(again.body.items.length, ASKED - 2);
  assert.equal(
    again.body.items.find(({ external_id }: { external_id: string }) => external_id === 'K-1').name,
    'K-1 商店',
  );
});
