import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createDocument } from '../../../../shared/invoicing/documents/create.ts';
import { crmImportsPlace } from '../../../support/crm-imports.ts';

const { newOrganization } = await crmImportsPlace();

async function customer() {
  const crm = await newOrganization();
  const imported = await crm.take('companies', ['name,external_id', '山田商店,K-1', '鈴木商店,K-2']);
  const [company] = await crm.query<{ id: string }>(
    `SELECT id FROM crm_companies WHERE organization_id = '${crm.organization_id}' AND external_id = 'K-1'`,
  );
  const document = await crm.act((work) =>
    createDocument(work, 'invoice', {
      company_id: company!.id,
      issue_date: '2026-04-01',
      line_items: [{ description: 'x', unit_price: '1000' }],
    }),
  );
  const types = async () => {
    const events = await crm.query<{ type: string }>(
      `SELECT type FROM events WHERE type LIKE 'customer.%' AND data->>'id' = '${company!.id}' ORDER BY id`,
    );
    return events.map(({ type }) => type);
  };
  return { crm, imported, document, types };
}

describe('an import of companies', () => {
  test('that changes a customer, and its undoing, are told as changes of the customer', async () => {
    const { crm, types } = await customer();
    const changing = await crm.take('companies', ['name,external_id,city', '山田商店,K-1,千代田区'], {
      on_conflict: 'update',
    });
    assert.equal(changing.updated_count, 1);
    assert.deepEqual(await types(), ['customer.created', 'customer.updated']);
    const { revert } = await crm.undo('companies', changing);
    assert.equal(revert!.restored_count, 1);
    assert.deepEqual(await types(), ['customer.created', 'customer.updated', 'customer.updated']);
  });

  test('that made a customer leaves it when undone, with its documents', async () => {
    const { crm, imported, document, types } = await customer();
    const { revert } = await crm.undo('companies', imported);
    assert.deepEqual([revert!.deleted_count, revert!.left_count], [1, 1]);
    const [kept] = await crm.query<{ company_id: string }>(
      `SELECT company_id FROM invoicing_documents WHERE id = '${document.id}'`,
    );
    assert.equal(kept!.company_id, document.company_id);
    assert.deepEqual(await types(), ['customer.created']);
  });
});
