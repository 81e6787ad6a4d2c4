import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, test } from 'node:test';
import { startApp } from '../support/app.ts';
import { newSeller } from '../support/documents.ts';

const app = await startApp();
const seller = await newSeller(app);

for (const [key, type] of [
  ['rank', 'text'],
  ['a', 'number'],
  ['score_of_the_year', 'number'],
] as const) {
  for (const kind of ['company', 'contact', 'deal']) {
    await seller.make('/crm/custom-fields', { kind, key, label: key, type });
  }
}
await seller.make('/crm/pipelines', { name: '営業' });
const list = await seller.make('/mail/lists', { name: '会報' });

const custom_fields = { score_of_the_year: 3, a: -0, rank: 'B' };

const bank_account = {
  holder: '山田商事（株）',
  number: '1234567',
  type: 'checking',
  bank: 'みずほ銀行',
  holder_kana: 'ヤマダショウジ（カ',
  branch_code: '004',
  branch: '丸の内支店',
  bank_code: '0001',
};

/** Members in an order that neither a schema nor the database has. */
const records: Record<string, Record<string, unknown>> = {
  '/crm/companies': {
    name: '順',
    payment_terms: { pay_day: 'end', months_later: 1, closing_day: 20 },
    custom_fields,
  },
  '/crm/contacts': { last_name: '順', first_name: '子', custom_fields },
  '/crm/deals': { name: '順', custom_fields },
  '/mail/contacts': {
    email: 'order@example.com',
    list_id: list.id,
    attributes: { 会社名: '順', b: '2', '😀': '', aa: '3' },
    consent: {
      tracking: true,
      source: 'web',
      at: '2026-04-01T09:00:00+09:00',
      basis: 'consent',
      text: 'はい',
    },
  },
  '/invoices': {
    company_id: seller.company.id,
    issue_date: '2026-04-01',
    bank_account,
    line_items: [{ unit_price: '1', description: '順' }],
  },
};

const changes: Record<string, Record<string, unknown>> = {
  '/crm/companies': { note: 'n' },
  '/crm/contacts': { note: 'n' },
  '/crm/deals': { source: 's' },
  '/mail/contacts': { first_name: 'f' },
  '/invoices': { memo: 'm' },
};

/** The same value with the members of its objects the other way round. */
function turned(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(turned);
  const members = Object.entries(value).toReversed();
  return Object.fromEntries(members.map(([name, inner]) => [name, turned(inner)]));
}

describe('the ETag of a write is that of the next read', () => {
  for (const [path, fields] of Object.entries(records)) {
    test(`POST and PATCH ${path}`, async () => {
      const made = await seller.post(path, fields);
      assert.equal(made.status, 201, made.text);
      const { id } = Object.values<{ id: string }>(made.body)[0]!;
      const etag = made.headers.get('etag');
      assert.equal((await seller.get(`${path}/${id}`)).headers.get('etag'), etag);

      const { list_id, company_id, line_items, ...plain } = fields;
      const again = await seller.patch(`${path}/${id}`, turned(plain));
      assert.equal(again.status, 200, again.text);
      assert.equal(again.headers.get('etag'), etag, 'members in another order are no change');

      const changed = await seller.patch(`${path}/${id}`, turned({ ...plain, ...changes[path] }));
      assert.equal(changed.status, 200, changed.text);
      assert.notEqual(changed.headers.get('etag'), etag);
      assert.equal((await seller.get(`${path}/${id}`)).headers.get('etag'), changed.headers.get('etag'));
    });
  }

  test('PATCH /invoice-settings', async () => {
    const changed = await seller.patch('/invoice-settings', { bank_account });
    const etag = changed.headers.get('etag');
    assert.equal((await seller.get('/invoice-settings')).headers.get('etag'), etag);
    const again = await seller.patch('/invoice-settings', { bank_account: turned(bank_account) });
    assert.equal(again.headers.get('etag'), etag);
  });

  test('an invoice keeps its company on issue in the order of every later read', async () => {
    const { id } = await seller.draft('invoice', { bank_account });
    const issued = await seller.act('invoice', id, 'approve');
    assert.equal(issued.status, 200, issued.text);
    assert.equal((await seller.get(`/invoices/${id}`)).headers.get('etag'), issued.headers.get('etag'));
  });
});

describe('an answer of more than 64 Ki letters', () => {
  test('has the bytes, the length, the type and the ETag of any other', async () => {
    const note = '長い覚え書き。'.repeat(1_400);
    for (let n = 0; n < 8; n += 1) {
      await seller.make('/crm/contacts', { last_name: '長', first_name: `${n}`, note });
    }
    const [large, small] = [
      await seller.get('/crm/contacts?limit=8'),
      await seller.get('/crm/contacts?limit=1'),
    ];
    assert.ok(large.text.length > 65_536);
    assert.deepEqual(
      large.body.items.map((contact: { note: string }) => contact.note),
      Array(8).fill(note),
    );
    assert.equal(large.headers.get('content-length'), String(Buffer.byteLength(large.text)));
    assert.equal(large.headers.get('content-type'), small.headers.get('content-type'));
    const etag = large.headers.get('etag')!;
    assert.equal(etag, `"${hash('sha1', large.text, 'base64url').slice(0, 22)}"`);
    const again = await seller.get('/crm/contacts?limit=8', { 'If-None-Match': etag });
    assert.equal(again.status, 304);
  });
});
