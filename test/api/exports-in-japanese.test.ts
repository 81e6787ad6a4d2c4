import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../support/app.ts';
import { newSales, type Sales } from '../support/deals.ts';
import { exported, rowsOf, startExportWorkers } from '../support/exports.ts';

const app = await startApp();
await startExportWorkers(app);

type Owner = Sales & Awaited<ReturnType<typeof app.actor>>;

const owner = (await newSales(app)) as Owner;
const rowOf = async (path: string) => rowsOf((await exported(app, owner, path, { lang: 'ja' })).bytes)[0]!;

describe('a file in Japanese', () => {
  test('of companies, deals and activities has words of an office', async () => {
    await owner.make('/crm/custom-fields', {
      kind: 'company',
      key: 'vip',
      label: '優良顧客',
      type: 'boolean',
    });
    const company = await owner.make('/crm/companies', {
      name: '株式会社山田商店',
      payment_terms: { closing_day: 'end', months_later: 1, pay_day: 'end' },
      custom_fields: { vip: true },
    });
    await owner.make('/crm/deals', { name: '豆の定期便', company_id: company.id });
    await owner.make('/crm/activities', { type: 'meeting', content: '打ち合わせ', company_id: company.id });
    const shown = await rowOf('/crm/companies');
    assert.deepEqual(
      ['締め日', '支払月', '支払日', '優良顧客'].map((header) => shown[header]),
      ['末日', '翌月', '末日', 'はい'],
    );
    assert.equal((await rowOf('/crm/deals'))['状態'], '進行中');
    assert.equal((await rowOf('/crm/activities'))['種類'], '打ち合わせ');
  });

  test('of mail contacts and suppressions too', async () => {
    const consent = { basis: 'relationship', source: '名刺', at: '2026-04-01T00:00:00Z', tracking: true };
    await owner.make('/mail/contacts', { email: 'hanako@example.jp', consent });
    await owner.make('/mail/suppressions', { email: 'taro@example.jp' });
    const contact = await rowOf('/mail/contacts');
    assert.deepEqual(
      ['状態', '同意の根拠', '計測への同意'].map((header) => contact[header]),
      ['配信可', '取引関係', 'はい'],
    );
    assert.equal((await rowOf('/mail/suppressions'))['理由'], '管理者による停止');
  });
});
