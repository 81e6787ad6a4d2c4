import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { receivedKinds } from '../../../shared/received/documents/kinds.ts';
import { startApp } from '../../support/app.ts';
import { newBuyer } from '../../support/received.ts';

const app = await startApp();

describe('a company that sent documents', () => {
  test('is not removed, whatever their kind', async () => {
    const buyer = await newBuyer(app);
    for (const kind of receivedKinds) await buyer.register(kind);
    const reply = await buyer.delete(`/crm/companies/${buyer.company.id}`);
    assert.deepEqual([reply.status, reply.body.code], [409, 'in_use']);
    assert.deepEqual(reply.body.documents, {
      received_invoice: 1,
      received_quotation: 1,
      received_purchase_order: 1,
      received_delivery_note: 1,
    });
  });

  test('gives them to the one that it is merged into; a number that both had is a duplicate', async () => {
    const buyer = await newBuyer(app);
    const loser = await buyer.make('/crm/companies', { name: '港文具店' });
    const of_survivor = await buyer.register('invoice', { number: '118' });
    const same = await buyer.register('invoice', { number: '118', company_id: loser.id });
    const own = await buyer.register('invoice', { number: '119', company_id: loser.id });
    const note = await buyer.register('delivery_note', { number: '118', company_id: loser.id });
    const reply = await buyer.post(`/crm/companies/${buyer.company.id}/merge`, { loser_id: loser.id });
    assert.deepEqual([reply.status, reply.body.moved.documents], [200, 3], reply.text);
    const after = await Promise.all([
      buyer.read('invoice', same.id),
      buyer.read('invoice', own.id),
      buyer.read('delivery_note', note.id),
    ]);
    assert.deepEqual(
      after.map(({ company_id, duplicate_of }) => [company_id, duplicate_of]),
      [
        [buyer.company.id, of_survivor.id],
        [buyer.company.id, null],
        [buyer.company.id, null],
      ],
    );
    const claimed = await buyer.attempt('invoice', { number: '119' });
    assert.deepEqual([claimed.status, claimed.body.existing_id], [409, own.id]);
    const { items } = (await buyer.get(`/receive/audit-logs?entity_id=${same.id}`)).body;
    assert.deepEqual(items[0].changes, {
      company_id: [loser.id, buyer.company.id],
      duplicate_of: [null, of_survivor.id],
    });
    const listed = await buyer.get(`/received-invoices?company_id=${loser.id}`);
    assert.equal(listed.body.total, 3);
  });

  test('has them in its timeline, for those who may read them', async () => {
    const buyer = await newBuyer(app);
    const made = await buyer.register('quotation', { number: '7' });
    const path = `/crm/timeline?company_id=${buyer.company.id}`;
    const isReceived = ({ type }: { type: string }) => type === 'received_document';
    const [item] = (await buyer.get(path)).body.data.filter(isReceived);
    const { entity_type, entity_id, number, status, status_before } = item.data;
    assert.deepEqual(
      [entity_type, entity_id, number, status, status_before],
      ['received_quotation', made.id, '7', 'pending', null],
    );
    const { organization_id } = buyer;
    const reader = await app.actor({ organization_id, scopes: ['crm:read'] });
    assert.deepEqual((await reader.get(path)).body.data.filter(isReceived), []);
  });
});
