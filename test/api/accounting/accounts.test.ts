import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newBooks } from '../../support/books.ts';
import { overtaken } from '../../support/held.ts';

const app = await startApp();

describe('the chart', () => {
  test('skips a code that an account gets at that moment', async () => {
    const client = await app.actor();
    const { organization_id } = client.actor;
    const cash = { code: '1111', name: '手許現金', account_type: 'asset' };
    const { account } = (await client.post('/accounting/accounts', cash)).body;
    const { status, body, text } = await overtaken(
      { database: app.database, organization_id },
      ({ query }) =>
        query(`UPDATE accounting_accounts SET code = '1110' WHERE organization_id = $1 AND id = $2`, [
          organization_id,
          account.id,
        ]),
      () => client.post('/accounting/accounts/seed'),
    );
    assert.equal(status, 200, text);
    assert.deepEqual(body, { created: 149, skipped: 1, differing: [] });
  });

  test('is seeded once, with 150 accounts and the places of the account map', async () => {
    const books = await newBooks(app);
    const again = await books.post('/accounting/accounts/seed');
    assert.deepEqual(again.body, { created: 0, skipped: 150, differing: [] });
    const { body } = await books.get('/accounting/accounts?limit=500&sort=code:asc');
    assert.equal(body.total, 150);
    assert.partialDeepStrictEqual(body.items[0], {
      code: '1110',
      name: '現金',
      section: 'cash',
      cf_class: 'cash',
    });
    const { settings } = (await books.get('/accounting/settings')).body;
    const byCode = new Map(body.items.map(({ code, id }: { code: string; id: string }) => [code, id]));
    assert.equal(settings.account_map.receivable, byCode.get('1220'));
    assert.equal(settings.account_map.sales.reduced, byCode.get('4120'));
    const used = await books.delete(`/accounting/accounts/${byCode.get('1220')}`);
    assert.deepEqual([used.status, used.body.code], [409, 'in_use']);
    const found = await books.get(`/accounting/accounts?search=${encodeURIComponent('普通')}`);
    assert.deepEqual(
      found.body.items.map(({ code }: { code: string }) => code),
      ['1140'],
    );
  });

  test('has sub-accounts four levels deep, of one type, without a circle', async () => {
    const books = await newBooks(app);
    const parents: string[] = [];
    for (let level = 1; level <= 4; level += 1) {
      const fields = {
        code: `S-${level}`,
        name: `L${level}`,
        account_type: 'asset',
        parent_id: parents.at(-1) ?? null,
      };
      const made = await books.make('accounts', fields);
      assert.equal(made.section, 'other_current_assets');
      parents.push(made.id);
    }
    const deep = await books.post('/accounting/accounts', {
      code: 'X',
      name: 'X',
      account_type: 'asset',
      parent_id: parents[3],
    });
    assert.deepEqual([deep.status, deep.body.errors[0].code], [422, 'too_deep']);
    const circle = await books.patch(`/accounting/accounts/${parents[0]}`, { parent_id: parents[1] });
    assert.deepEqual([circle.status, circle.body.code], [409, 'cycle']);
    const other = await books.post('/accounting/accounts', {
      code: 'Y',
      name: 'Y',
      account_type: 'expense',
      parent_id: parents[0],
    });
    assert.deepEqual([other.status, other.body.errors[0].path], [422, '/parent_id']);
    const mixed = await books.post('/accounting/accounts', {
      code: 'Z',
      name: 'Z',
      account_type: 'asset',
      section: 'sales',
      cf_class: 'pl',
    });
    assert.deepEqual(
      mixed.body.errors.map(({ path }: { path: string }) => path),
      ['/section', '/cf_class'],
    );
  });
});
