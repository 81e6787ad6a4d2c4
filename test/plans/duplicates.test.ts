import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newActor, type TestActor } from '../support/actors.ts';
import { seedContacts } from '../support/many-contacts.ts';
import { giveKeys, seedCompanies } from '../support/many-records.ts';
import { plannedApp } from '../support/plans.ts';

const MANY = 20_000;
const FEW = 400;

const { app, ...planned } = await plannedApp();
const client = await app.actor();
const mixed = await app.actor();
await planned.fill(async () => {
  await seed(await newActor(app.database), MANY / 10, {});
  await seed(client.actor, MANY, {
    corporate_number: "CASE WHEN n % 2 = 0 THEN '1' || lpad(n::text, 12, '0') END",
    // Every fiftieth is the number of another company.
    invoice_registration_number:
      "CASE WHEN n % 2 = 1 THEN 'T1' || lpad((n - (n % 50 = 1)::int)::text, 12, '0') END",
  });
  await seed(mixed.actor, FEW, {
    corporate_number: "CASE WHEN n % 5 = 0 THEN '1' || lpad(n::text, 12, '0') END",
    invoice_registration_number: "CASE WHEN n % 3 = 0 THEN 'T1' || lpad((n * n % 37 * 5)::text, 12, '0') END",
    // Of twenty, the first two share both.
    email_key: "CASE WHEN n % 20 IN (1, 2) THEN 'd' || n / 20 WHEN n % 7 > 0 THEN 'c' || n * n % 211 END",
    phone_digits: "CASE WHEN n % 4 > 0 THEN '03' || least(n - (n % 20 = 2)::int, 330) END",
    name_key:
      "CASE WHEN n % 90 < 4 THEN (ARRAY['髙橋', '高橋', '鈴木', '佐藤'])[1 + n % 90] ELSE '会社' || n END",
  });
});

async function seed(owner: TestActor, count: number, keys: Record<string, string>) {
  await seedCompanies(app.database, owner, count);
  await seedContacts(app.database, owner, count);
  const { name_key, email_key, phone_digits } = keys;
  if (Object.keys(keys).length > 0)
    await giveKeys(app.database, 'crm_companies', owner.organization_id, keys);
  if (!name_key) return;
  await giveKeys(app.database, 'crm_contacts', owner.organization_id, {
    email_key: email_key!,
    phone_digits: phone_digits!,
  });
}

test('companies are grouped along the index of their numbers, and no row of theirs is read from end to end', async () => {
  const { indexes, whole } = await planned.plansOf(async () => {
    const reply = await client.get('/crm/duplicates?kind=company');
    assert.equal(reply.body.total, MANY / 50 - 1, 'all but that of the first');
  });
  assert.ok(indexes.has('crm_companies_by_any_number'), [...indexes].join());
  assert.ok(!whole.has('crm_companies'));
});

type Sign = 'corporate_number' | 'email' | 'name' | 'phone';
type Row = { id: string } & Record<Sign, string | null>;

/** The groups by their definition, from the rows themselves. */
async function groupsOf(kind: 'company' | 'contact', signs: readonly (readonly [Sign, number])[]) {
  const own =
    kind === 'company'
      ? `coalesce(corporate_number, substr(invoice_registration_number, 2)) AS corporate_number,
         replace(name_key, '髙', '高') AS name FROM crm_companies`
      : 'NULL AS corporate_number, NULL AS name FROM crm_contacts';
  const rows = await app.database.withConnection(mixed.actor.organization_id, ({ query }) =>
    query<Row>(
      `SELECT id, email_key AS email, phone_digits AS phone, ${own} WHERE organization_id = $1 ORDER BY id`,
      [mixed.actor.organization_id],
    ),
  );
  const found = new Map<string, { reasons: Sign[]; scores: number[]; ids: string[] }>();
  for (const [sign, score] of signs) {
    for (const [value, group] of Map.groupBy(rows, (row) => row[sign])) {
      if (value === null || group.length < 2) continue;
      const ids = group.slice(0, 50).map(({ id }) => id);
      const known = found.get(ids.join()) ?? { reasons: [], scores: [], ids };
      known.reasons.push(sign);
      known.scores.push(score);
      found.set(ids.join(), known);
    }
  }
  return [...found.values()].map(({ reasons, scores, ids }) => ({
    kind,
    score: Math.min(100, Math.max(...scores) + 10 * (scores.length - 1)),
    reasons: reasons.sort(),
    ids,
  }));
}

test('the groups of all pages are those of their definition, in its order', async () => {
  const companies = await groupsOf('company', [
    ['corporate_number', 100],
    ['email', 80],
    ['name', 70],
    ['phone', 60],
  ]);
  const contacts = await groupsOf('contact', [
    ['email', 80],
    ['phone', 60],
  ]);
  const inOrder = [...companies, ...contacts].sort(
    (left, right) =>
      right.score - left.score ||
      (left.kind < right.kind ? -1 : Number(left.kind > right.kind)) ||
      (left.ids.join() < right.ids.join() ? -1 : 1),
  );
  const shown = [];
  for (let offset = 0; offset < inOrder.length; offset += 100) {
    const { body } = await mixed.get(`/crm/duplicates?limit=100&offset=${offset}`);
    assert.equal(body.total, inOrder.length);
    for (const { records, ...group } of body.items)
      shown.push({ ...group, ids: records.map(({ id }: { id: string }) => id) });
  }
  assert.deepEqual(shown, inOrder);
  const reasons = new Set(shown.map((group) => group.reasons.join()));
  for (const one of ['corporate_number', 'email', 'name', 'phone', 'email,phone'])
    assert.ok(reasons.has(one), one);
});
