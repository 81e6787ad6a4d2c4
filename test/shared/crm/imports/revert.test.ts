import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createActivity } from '../../../../shared/crm/activities/operations.ts';
import { createCompany, updateCompany } from '../../../../shared/crm/companies/operations.ts';
import { createContact, updateContact } from '../../../../shared/crm/contacts/operations.ts';
import { createDeal, updateDeal } from '../../../../shared/crm/deals/operations.ts';
import { type CrmImports, crmImportsPlace } from '../../../support/crm-imports.ts';
import { contentsOf } from '../../../support/import-organization.ts';

const { database, newOrganization } = await crmImportsPlace();

const person = { last_name: '山田', first_name: '太郎' };

/** The rows of a table by their external IDs, with the columns named. */
async function rowsOf(organization: CrmImports, table: string, ...columns: string[]) {
  const rows = await organization.query<Record<string, unknown>>(
    `SELECT external_id, ${columns.join(', ')} FROM ${table} WHERE organization_id = $1 ORDER BY external_id`,
    [organization.organization_id],
  );
  return Object.fromEntries(
    rows.map(({ external_id, ...row }) => [external_id, columns.map((column) => row[column])]),
  );
}

function idsOf(organization: CrmImports, table: string) {
  return rowsOf(organization, table, 'id') as Promise<Record<string, [string]>>;
}

const TABLES = ['crm_companies', 'crm_contacts', 'crm_deals', 'crm_tag_assignments', 'crm_deal_contacts'];

/** The tables as they are, without times. */
async function tablesOf(organization: CrmImports) {
  const contents = await contentsOf(database, organization);
  return TABLES.map((table) => contents[table]);
}

describe('undoing an import', () => {
  test('of contacts takes all back that it did, and says each change', async () => {
    const organization = await newOrganization();
    const { act } = organization;
    await act((work) => createContact(work, { ...person, external_id: 'a', phone: '03-1' }));
    await act((work) => createContact(work, { ...person, external_id: 'b' }));
    const before = await tablesOf(organization);
    const lines = [
      '外部ID,姓,名,電話番号,会社名,タグ',
      'a,山川,,03-2,甲,重要',
      'b,,,,乙,',
      'c,林,花,03-3,甲,VIP',
    ];
    const done = await organization.take('contacts', [...lines, 'a,,,03-4,,', 'c,,,03-5,,'], {
      create_missing: true,
    });
    assert.notDeepEqual(await tablesOf(organization), before);
    const { revert, status } = await organization.undo('contacts', done);
    assert.equal(status, 'reverted');
    const { deleted_count, restored_count, left_count } = revert!;
    assert.deepEqual(
      { deleted_count, restored_count, left_count },
      {
        deleted_count: 3,
        restored_count: 2,
        left_count: 0,
      },
    );
    assert.deepEqual(await tablesOf(organization), before);
    const tags = await organization.query('SELECT id FROM crm_tags WHERE organization_id = $1', [
      organization.organization_id,
    ]);
    assert.deepEqual(tags, []);
    const events = await organization.query<{ type: string; count: number }>(
      'SELECT type, count(*) FROM events WHERE organization_id = $1 GROUP BY type ORDER BY type',
      [organization.organization_id],
    );
    assert.deepEqual(
      events.map(({ type, count }) => `${type} ${count}`),
      [
        'crm.company.created 2',
        'crm.company.deleted 2',
        'crm.contact.created 3',
        'crm.contact.deleted 1',
        // Two rows of "a", one of "b", one further of "c"; then "a" and "b" are given their values back.
        'crm.contact.updated 6',
      ],
    );
  });

  test('of contacts leaves what people have changed since, or refer to', async () => {
    const organization = await newOrganization();
    const { act } = organization;
    await act((work) => createContact(work, { ...person, external_id: 'a', phone: '03-1', note: 'n' }));
    const lines = [
      '外部ID,姓,名,電話番号,備考',
      'a,,,03-2,neu',
      'b,林,花,,',
      'c,森,咲,,',
      'd,原,葵,,',
      'e,東,蓮,,',
    ];
    const done = await organization.take('contacts', lines);
    const ids = await idsOf(organization, 'crm_contacts');
    await act((work) => updateContact(work, ids['a']![0], { phone: '03-9' }));
    await act((work) => updateContact(work, ids['b']![0], { position: '部長' }));
    await act((work) => createDeal(work, { name: '更新', contact_ids: [ids['c']![0]] }));
    await organization.take('contacts', ['外部ID,備考', 'e,']);
    const { revert } = await organization.undo('contacts', done);
    assert.equal(revert!.deleted_count, 1);
    assert.equal(revert!.restored_count, 1);
    assert.equal(revert!.left_count, 4);
    assert.deepEqual(await rowsOf(organization, 'crm_contacts', 'phone', 'note'), {
      a: ['03-9', 'n'],
      b: [null, null],
      c: [null, null],
      e: [null, null],
    });
  });

  test('of companies gives names, keys and parents back, and removes trees of companies', async () => {
    const organization = await newOrganization();
    const { act } = organization;
    const { id } = await act((work) => createCompany(work, { name: '甲', external_id: 'a' }));
    await act((work) => createCompany(work, { name: '乙', external_id: 'b', parent_id: id }));
    await act((work) => createDeal(work, { name: '更新', amount: '1000', company_id: id }));
    const before = await tablesOf(organization);
    const done = await organization.take('companies', [
      '外部ID,会社名,法人番号,親会社の外部ID',
      'c,丙,,a',
      'd,丁,,c',
      'a,甲乙,7000012050002,',
      'b,,,d',
    ]);
    assert.equal(done.updated_count, 2);
    const { revert } = await organization.undo('companies', done);
    assert.deepEqual([revert!.deleted_count, revert!.restored_count, revert!.left_count], [2, 2, 0]);
    assert.deepEqual(await tablesOf(organization), before);
  });

  test('of companies removes those that later rows of the file have put below others made behind them', async () => {
    const organization = await newOrganization();
    const { act } = organization;
    const before = await tablesOf(organization);
    const made = Array.from({ length: 600 }, (_, at) => `k${at},会社${at},`);
    const below = ['k10,,k599', 'k599,,k5', 'k5,,k550'];
    const lines = ['外部ID,会社名,親会社の外部ID', ...made, ...below];
    const { revert } = await organization.undo('companies', await organization.take('companies', lines));
    assert.deepEqual([revert!.deleted_count, revert!.left_count], [600, 0]);
    assert.deepEqual(await tablesOf(organization), before);

    const again = await organization.take('companies', lines);
    const ids = await idsOf(organization, 'crm_companies');
    await act((work) => createCompany(work, { name: '支店', parent_id: ids['k10']![0] }));
    const { revert: kept } = await organization.undo('companies', again);
    // The branch keeps k10, and so all above it.
    assert.deepEqual([kept!.deleted_count, kept!.left_count], [596, 4]);
  });

  test('of companies leaves those that something refers to, and keys that others have taken', async () => {
    const organization = await newOrganization();
    const { act } = organization;
    await act((work) =>
      createCompany(work, { name: '甲', corporate_number: '7000012050002', external_id: 'a' }),
    );
    const done = await organization.take('companies', [
      '外部ID,会社名,法人番号',
      'a,,1180301018771',
      'b,乙,',
      'c,丙,',
      'd,丁,',
      'e,戊,',
    ]);
    const ids = await idsOf(organization, 'crm_companies');
    await act((work) => createContact(work, { ...person, company_id: ids['b']![0] }));
    await act((work) => createActivity(work, { type: 'note', content: 'x', company_id: ids['c']![0] }));
    await act((work) => updateCompany(work, ids['e']![0], { parent_id: ids['d']![0] }));
    await act((work) => createCompany(work, { name: '己', corporate_number: '7000012050002' }));
    const { revert } = await organization.undo('companies', done);
    assert.deepEqual([revert!.deleted_count, revert!.restored_count, revert!.left_count], [0, 0, 5]);
  });

  test('of deals puts them back in their stages, and the totals of companies with them', async () => {
    const organization = await newOrganization();
    const { act } = organization;
    const { id: company_id } = await act((work) => createCompany(work, { name: '甲', external_id: 'k' }));
    const { id } = await act((work) => createContact(work, { ...person, external_id: 'p' }));
    const deal = { amount: '1000', company_id, contact_ids: [id] };
    await act((work) => createDeal(work, { ...deal, name: '更新', external_id: 'a' }));
    await act((work) => createDeal(work, { ...deal, name: '新規', external_id: 'b', probability: 33 }));
    const before = await tablesOf(organization);
    const done = await organization.take(
      'deals',
      [
        '外部ID,案件名,金額,会社名,ステージ,失注理由,確度,連絡先の外部ID',
        'a,,2000,乙,失注,予算,,',
        'b,,,,受注,,50,',
        'c,三,300,甲,提案,,,p',
        'd,四,400,,受注,,,',
      ],
      { create_missing: true },
    );
    assert.deepEqual(await rowsOf(organization, 'crm_companies', 'open_deals', 'open_amount'), {
      k: [1, 300],
      null: [0, 0],
    });
    const { revert } = await organization.undo('deals', done);
    assert.deepEqual([revert!.deleted_count, revert!.restored_count, revert!.left_count], [3, 2, 0]);
    assert.deepEqual(await tablesOf(organization), before);
  });

  test('of deals leaves one in the stage that people have moved it to, and gives the rest back', async () => {
    const organization = await newOrganization();
    const { act } = organization;
    await act((work) => createDeal(work, { name: '更新', external_id: 'a', amount: '10', currency: 'USD' }));
    const done = await organization.take('deals', [
      '外部ID,案件名,金額,通貨,ステージ',
      'a,変,2000,JPY,交渉',
      'b,新,,,',
    ]);
    const ids = await idsOf(organization, 'crm_deals');
    const [won] = await organization.query<{ id: string }>(
      `SELECT id FROM crm_stages WHERE organization_id = $1 AND slug = 'closed_won'`,
      [organization.organization_id],
    );
    await act((work) => updateDeal(work, ids['a']![0], { stage_id: won!.id }));
    await act((work) => createActivity(work, { type: 'call', content: 'x', deal_id: ids['b']![0] }));
    const { revert } = await organization.undo('deals', done);
    assert.deepEqual([revert!.deleted_count, revert!.restored_count, revert!.left_count], [0, 1, 2]);
    assert.deepEqual(await rowsOf(organization, 'crm_deals', 'name', 'status', 'amount', 'currency'), {
      a: ['更新', 'won', '10', 'USD'],
      b: ['新', 'open', '0', 'JPY'],
    });
  });
});
