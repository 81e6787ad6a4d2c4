import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp, type TestApp } from '../support/app.ts';
import { newSales, type Sales } from '../support/deals.ts';
import { ended, exported, rowsOf } from '../support/exports.ts';
import { startWorkers } from '../support/workers.ts';

/** What was exported imports as it was: the same records into the organization that has them, and into an empty one. */
const app = await startApp();
await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir }, [
  '--queues',
  'report-export,csv-import',
]);

type Owner = Sales & Awaited<ReturnType<TestApp['actor']>>;
const newOwner = async () => (await newSales(app)) as Owner;

/** Imports a file and answers the import, all of whose rows were taken. */
async function imported(
  client: Owner,
  path: string,
  bytes: Buffer,
  options: Record<string, unknown> = {},
): Promise<Record<string, number>> {
  const form = new FormData();
  form.set('file', new File([new Uint8Array(bytes)], 'export.csv', { type: 'text/csv' }));
  form.set('options', JSON.stringify(options));
  const asked = await client.post(`${path}/import`, form);
  assert.equal(asked.status, 202, asked.text);
  const job = await ended(client, asked.body.job.id);
  assert.equal(job.status, 'succeeded', JSON.stringify(job));
  const area = path.startsWith('/mail') ? '/mail' : '/crm';
  const errors = await client.get(`${area}/imports/${asked.body.import.id}/errors`);
  assert.deepEqual(errors.body.items, []);
  const shown = await client.get(`${area}/imports/${asked.body.import.id}`);
  assert.equal(shown.status, 200, shown.text);
  return shown.body.import;
}

/** All items of a list without what is new in every organization. */
async function items(client: Owner, path: string, names: readonly string[]): Promise<unknown[]> {
  const { body } = await client.get(`${path}?limit=100&order=asc`);
  return body.items.map((item: Record<string, unknown>) => names.map((name) => item[name]));
}

const UGLY = [
  '=SUM(A1:A9)',
  "'=1",
  '-5',
  '＋81',
  '＠home',
  '@home',
  'カンマ, と "引用"',
  '二行\n目',
  '山;川\\谷',
  '髙﨑①㈱ｶﾅ',
  '2026-01-01',
  '000123',
];

const forms = [{}, { encoding: 'utf-8', line_ending: 'lf' }, { encoding: 'shift_jis' }, { lang: 'ja' }];

describe('mail contacts', () => {
  const keys = ['external_id', 'metadata'];
  const columns = [...keys, 'email', 'last_name', 'first_name', 'full_name', 'attributes'];
  const shown = [...columns, 'status'];
  for (const form of forms) {
    test(JSON.stringify(form), async () => {
      const owner = await newOwner();
      for (const [n, text] of UGLY.entries()) {
        const attributes = { 会社名: text, '2025': `${n}`, email: text };
        const external_id = text.includes(',') ? null : text;
        const person = { email: `+${n}=x@example.com`, last_name: text, attributes };
        await owner.make('/mail/contacts', { ...person, external_id, metadata: { note: text, n: `${n}` } });
      }
      await owner.make('/mail/contacts', { email: "'=quoted@example.com", first_name: '花子' });
      const { bytes } = await exported(app, owner, '/mail/contacts', { ...form, columns, order: 'asc' });
      // Without IDs a file is not known for an export, which is read as it is.
      const as_it_is = { keep_unmapped: true, normalize: false };
      const again = await imported(owner, '/mail/contacts', bytes, as_it_is);
      assert.equal(again['unchanged_count'], UGLY.length + 1, JSON.stringify(again));
      const other = await newOwner();
      const first = await imported(other, '/mail/contacts', bytes, as_it_is);
      assert.equal(first['created_count'], UGLY.length + 1, JSON.stringify(first));
      assert.deepEqual(
        await items(other, '/mail/contacts', shown),
        await items(owner, '/mail/contacts', shown),
      );
    });
  }

  test('all attributes come back, of whom each has other fifty', async () => {
    const owner = await newOwner();
    const fifty = (from: number) =>
      Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`a${from + n}`, `${n}`]));
    for (const from of [0, 50]) {
      await owner.make('/mail/contacts', { email: `from${from}@example.com`, attributes: fifty(from) });
    }
    const { bytes } = await exported(app, owner, '/mail/contacts', { order: 'asc' });
    const again = await imported(owner, '/mail/contacts', bytes, { keep_unmapped: true });
    assert.equal(again['unchanged_count'], 2, JSON.stringify(again));
    const other = await newOwner();
    await imported(other, '/mail/contacts', bytes, { keep_unmapped: true });
    assert.deepEqual(await items(other, '/mail/contacts', ['attributes']), [[fifty(0)], [fifty(50)]]);
  });

  for (const lang of ['en', 'ja']) {
    test(`all columns change nothing where they came from, headers in ${lang}`, async () => {
      const owner = await newOwner();
      const attributes = { 年: '1', 状態: '良', status: '可' };
      const own = { external_id: 'K-1', metadata: { erp: '1' } };
      await owner.make('/mail/contacts', { email: 'a@example.com', attributes, ...own });
      const before = await items(owner, '/mail/contacts', [...shown, 'updated_at']);
      const { bytes } = await exported(app, owner, '/mail/contacts', { lang });
      const again = await imported(owner, '/mail/contacts', bytes, { keep_unmapped: true });
      assert.equal(again['unchanged_count'], 1, JSON.stringify(again));
      assert.deepEqual(await items(owner, '/mail/contacts', [...shown, 'updated_at']), before);
    });
  }
});

describe('records of the CRM', () => {
  async function filled(): Promise<Owner> {
    const owner = await newOwner();
    const { make } = owner;
    const tag = await make('/crm/tags', { name: 'A;B\\C' });
    for (const kind of ['company', 'contact', 'deal']) {
      await make('/crm/custom-fields', { kind, key: 'rank', label: '格', type: 'text' });
      await make('/crm/custom-fields', { kind, key: 'score', label: '点', type: 'number' });
      await make('/crm/custom-fields', { kind, key: 'since', label: '開始', type: 'date' });
      await make('/crm/custom-fields', { kind, key: 'is_big', label: '大', type: 'boolean' });
      await make('/crm/custom-fields', {
        kind,
        key: 'kinds',
        label: '種',
        type: 'multi_select',
        options: ['a;b', 'c'],
      });
    }
    for (const [n, text] of UGLY.entries()) {
      const custom_fields = { rank: text, score: -n / 2, since: '2026-11-21', is_big: n % 2 === 0 };
      const external_id = `${text.slice(0, 9).replace('\n', ' ').replace(',', '、')}${n}`;
      const common = { external_id, custom_fields: { ...custom_fields, kinds: ['a;b', 'c'] } };
      const company = await make('/crm/companies', {
        ...common,
        name: text,
        note: text,
        capital: n,
        postal_code: '100-0001',
        fiscal_month: 3,
        payment_terms: { closing_day: 'end', months_later: 1, pay_day: 25 },
      });
      const contact = await make('/crm/contacts', {
        ...common,
        last_name: text,
        first_name: '花',
        email: `${n}@example.com`,
        phone: '+81-3',
        company_id: company.id,
        note: text,
      });
      const deal = await make('/crm/deals', {
        ...common,
        name: text,
        amount: `${n}.50`,
        currency: 'USD',
        probability: n,
        company_id: company.id,
        contact_ids: [contact.id],
        expected_close_date: '2026-12-01',
      });
      for (const [resource_type, { id }] of Object.entries({ company, contact, deal })) {
        await make('/crm/tag-assignments', { tag_id: tag.id, resource_type, resource_id: id });
      }
    }
    return owner;
  }

  for (const form of forms) {
    test(`all columns change nothing where they came from: ${JSON.stringify(form)}`, async () => {
      const owner = await filled();
      for (const path of ['/crm/companies', '/crm/contacts', '/crm/deals']) {
        const before = (await owner.get(`${path}?limit=100`)).body.items;
        const { bytes } = await exported(app, owner, path, form);
        const again = await imported(owner, path, bytes);
        assert.equal(again['unchanged_count'], UGLY.length, `${path} ${JSON.stringify(again)}`);
        assert.deepEqual((await owner.get(`${path}?limit=100`)).body.items, before, path);
      }
    });
  }

  test('an empty organization gets the same records', async () => {
    const owner = await filled();
    const other = await newOwner();
    for (const field of (await owner.get('/crm/custom-fields')).body.items) {
      const { kind, key, label, type, options } = field;
      await other.make('/crm/custom-fields', { kind, key, label, type, options });
    }
    const own = ['id', 'company_id', 'contact_ids', 'owner_id', 'owner_email', 'pipeline_id', 'stage_id'];
    for (const [path, names] of [
      ['/crm/companies', ['external_id', 'name', 'note', 'capital', 'payment_terms', 'custom_fields']],
      ['/crm/contacts', ['external_id', 'last_name', 'full_name', 'phone', 'email', 'note', 'custom_fields']],
      ['/crm/deals', ['external_id', 'name', 'amount', 'probability', 'stage_slug', 'custom_fields']],
    ] as const) {
      const whole = rowsOf((await exported(app, owner, path)).bytes)[0]!;
      const columns = Object.keys(whole).filter((name) => !own.includes(name));
      const { bytes } = await exported(app, owner, path, { columns, order: 'asc' });
      const first = await imported(other, path, bytes, { normalize: false });
      assert.equal(first['created_count'], UGLY.length, `${path} ${JSON.stringify(first)}`);
      assert.deepEqual(await items(other, path, names), await items(owner, path, names));
      const tagged = (await other.get(`${path}?limit=1`)).body.items[0].tags;
      assert.deepEqual(
        tagged.map(({ name }: { name: string }) => name),
        ['A;B\\C'],
      );
    }
    const [deal] = (await other.get('/crm/deals?limit=1')).body.items;
    assert.ok(deal.company_id && deal.contact_ids.length === 1);
  });
});
