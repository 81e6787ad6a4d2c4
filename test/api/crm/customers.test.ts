import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newSeller } from '../../support/documents.ts';
import { asCarried, faultsIn, toldBy } from '../../support/facts.ts';

const app = await startApp();

describe('customer events', () => {
  test('the first document that is sold by makes its company a customer, later ones do not', async () => {
    for (const kind of ['quotation', 'invoice', 'delivery_note'] as const) {
      const seller = await newSeller(app);
      const told = await toldBy(app, seller.organization_id, async () => {
        await seller.draft(kind);
        await seller.draft('quotation');
      });
      const created = told.events.filter(({ type }) => type === 'customer.created');
      const { company } = (await seller.get(`/crm/companies/${seller.company.id}`)).body;
      assert.match(company.customer_since, /^\d{4}-/);
      assert.equal(company.updated_at, seller.company.updated_at);
      assert.deepEqual(
        created.map(({ data }) => data),
        [asCarried(company)],
      );
    }
  });

  test('a purchase order goes to a supplier, who becomes none', async () => {
    const seller = await newSeller(app);
    const supplier = await seller.make('/crm/companies', { name: '仕入先' });
    const told = await toldBy(app, seller.organization_id, async () => {
      const { id } = await seller.draft('purchase_order');
      assert.equal((await seller.patch(`/purchase-orders/${id}`, { company_id: supplier.id })).status, 200);
    });
    assert.deepEqual(told.events, []);
    const { items } = (await seller.get('/crm/companies')).body;
    assert.deepEqual(
      items.map(({ customer_since }: { customer_since: string | null }) => customer_since),
      [null, null],
    );
  });

  test('of many first documents at once one tells it', async () => {
    const seller = await newSeller(app);
    const told = await toldBy(app, seller.organization_id, () =>
      Promise.all(Array.from({ length: 20 }, () => seller.draft('invoice'))),
    );
    const types = Map.groupBy(told.events, ({ type }) => type);
    assert.deepEqual([...types].map(([type, events]) => [type, events.length]).sort(), [
      ['customer.created', 1],
      ['invoice.created', 20],
    ]);
  });

  test('a company that stops to have documents stays a customer, and is told as one when it goes', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.draft('invoice');
    await seller.delete(`/invoices/${id}`);
    const told = await toldBy(app, seller.organization_id, async () => {
      await seller.patch(`/crm/companies/${seller.company.id}`, { note: 'n' });
      assert.equal((await seller.delete(`/crm/companies/${seller.company.id}`)).status, 200);
    });
    assert.deepEqual(
      told.events.map(({ type, previous_attributes }) => [type, previous_attributes]),
      [
        ['crm.company.updated', { note: null }],
        ['customer.updated', { note: null }],
        ['crm.company.deleted', null],
        ['customer.deleted', null],
      ],
    );
    assert.equal(told.audit.length, 2);
  });

  test('a branch that loses its parent and a custom field that goes are changes of customers too', async () => {
    const seller = await newSeller(app);
    const parent = await seller.make('/crm/companies', { name: 'P' });
    const field = await seller.make('/crm/custom-fields', {
      kind: 'company',
      key: 'rank',
      label: 'ランク',
      type: 'text',
    });
    await seller.draft('quotation');
    await seller.patch(`/crm/companies/${seller.company.id}`, {
      parent_id: parent.id,
      custom_fields: { rank: 'A' },
    });
    const told = await toldBy(app, seller.organization_id, async () => {
      await seller.delete(`/crm/custom-fields/${field.id}`);
      await seller.delete(`/crm/companies/${parent.id}`);
    });
    const updated = told.events.filter(({ type }) => type === 'customer.updated');
    assert.deepEqual(
      updated.map(({ previous_attributes }) => Object.keys(previous_attributes!)),
      [['custom_fields'], ['parent_id']],
    );
    assert.ok(updated.every(({ data }) => data['id'] === seller.company.id));
  });

  test('a merge makes the survivor a customer when the loser was one', async () => {
    const seller = await newSeller(app);
    const survivor = await seller.make('/crm/companies', { name: 'S' });
    await seller.draft('invoice');
    const before = (await seller.get(`/crm/companies/${seller.company.id}`)).body.company;
    const types = async (survivor_id: string, loser_id: string) => {
      const told = await toldBy(app, seller.organization_id, async () => {
        const reply = await seller.post(`/crm/companies/${survivor_id}/merge`, { loser_id });
        assert.equal(reply.status, 200, reply.text);
        assert.equal(reply.body.company.customer_since, before.customer_since);
        const read = await seller.get(`/crm/companies/${survivor_id}`);
        assert.deepEqual(read.body.company, reply.body.company);
      });
      return told.events
        .map(({ type, data }) => `${type} ${data['id']}`)
        .filter((text) => /^cust/.test(text));
    };
    assert.deepEqual(await types(survivor.id, seller.company.id), [
      `customer.deleted ${seller.company.id}`,
      `customer.created ${survivor.id}`,
    ]);
    const other = await seller.make('/crm/companies', { name: 'O' });
    assert.deepEqual(await types(survivor.id, other.id), [`customer.updated ${survivor.id}`]);
  });
});

describe('409 in_use', () => {
  test('a company with documents stays, whatever their kind', async () => {
    const seller = await newSeller(app);
    const order = await seller.after('purchase_order', ['send', 'accept', 'convert']);
    await seller.draft('invoice');
    await seller.draft('invoice');
    const reply = await seller.delete(`/crm/companies/${seller.company.id}`);
    assert.deepEqual([reply.status, reply.body.code], [409, 'in_use']);
    assert.deepEqual(reply.body.documents, { invoice: 2, purchase_order: 1, received_invoice: 1 });
    assert.equal((await seller.read('purchase_order', order.id)).company_id, seller.company.id);
  });

  test('a document that is made while its company is removed keeps it, or is refused', async () => {
    for (let round = 0; round < 5; round += 1) {
      const seller = await newSeller(app);
      const [made, removed] = await Promise.all([
        seller.post('/invoices', {
          company_id: seller.company.id,
          issue_date: '2026-04-01',
          line_items: [{ description: 'x', unit_price: 1 }],
        }),
        seller.delete(`/crm/companies/${seller.company.id}`),
      ]);
      if (made.status === 201) assert.equal(removed.body.code, 'in_use');
      else {
        assert.deepEqual([made.status, faultsIn(made.body)], [422, ['/company_id unknown_reference']]);
        assert.equal(removed.status, 200);
      }
    }
  });
});

describe('documents go along', () => {
  test('with a merge of companies, issued ones too', async () => {
    const seller = await newSeller(app);
    const survivor = await seller.make('/crm/companies', { name: 'S' });
    const issued = await seller.after('invoice', ['approve']);
    const order = await seller.after('purchase_order', ['send', 'accept', 'convert']);
    const draft = await seller.draft('quotation');
    const path = `/crm/companies/${survivor.id}/merge`;
    const loser_id = seller.company.id;
    const dry = await seller.post(path, { loser_id, dry_run: true });
    assert.equal(dry.body.moved.documents, 4);
    const told = await toldBy(app, seller.organization_id, async () => {
      const reply = await seller.post(path, { loser_id });
      assert.deepEqual([reply.status, reply.body.moved], [200, dry.body.moved]);
    });
    const moved = await seller.read('invoice', issued.id);
    assert.equal(moved.company_id, survivor.id);
    assert.deepEqual(moved.company_snapshot, issued.company_snapshot);
    assert.equal(moved.pdf.sha256, issued.pdf.sha256);
    assert.equal((await seller.read('quotation', draft.id)).company_id, survivor.id);
    const changes = told.audit.filter(({ changes }) => 'company_id' in changes);
    assert.deepEqual(changes.map(({ entity_type }) => entity_type).sort(), [
      'invoice',
      'purchase_order',
      'quotation',
      'received_invoice',
    ]);
    const [event] = told.events.filter(({ type }) => type === 'invoice.updated');
    assert.deepEqual(event!.previous_attributes, { company_id: loser_id });
    assert.deepEqual(event!.data['line_items'], issued.line_items);
    const listed = await seller.get(`/purchase-orders?company_id=${loser_id}`);
    assert.deepEqual(
      listed.body.items.map(({ id }: { id: string }) => id),
      [order.id],
    );
  });

  test('with a merge of contacts; a contact that is deleted leaves them', async () => {
    const seller = await newSeller(app);
    const person = (last_name: string) => seller.make('/crm/contacts', { first_name: 'x', last_name });
    const [survivor, loser] = [await person('S'), await person('L')];
    const { id } = await seller.draft('invoice', { contact_id: loser.id });
    const reply = await seller.post(`/crm/contacts/${survivor.id}/merge`, { loser_id: loser.id });
    assert.equal(reply.body.moved.documents, 1);
    assert.equal((await seller.read('invoice', id)).contact_id, survivor.id);
    const told = await toldBy(app, seller.organization_id, () =>
      seller.delete(`/crm/contacts/${survivor.id}`),
    );
    const { contact_id, updated_at } = await seller.read('invoice', id);
    assert.equal(contact_id, null);
    const [event] = told.events.filter(({ type }) => type === 'invoice.updated');
    assert.deepEqual(event!.previous_attributes, { contact_id: survivor.id });
    assert.equal(event!.data['updated_at'], updated_at);
  });
});

describe('the timeline', () => {
  test('tells when documents were made and changed their status, to those who may read them', async () => {
    const seller = await newSeller(app);
    const invoice = await seller.after('invoice', ['approve', 'send'], { subject: '4月分' });
    await seller.patch(`/invoices/${invoice.id}`, { internal_memo: 'x' });
    const path = `/crm/timeline?company_id=${seller.company.id}`;
    const items = (await seller.get(path)).body.data.filter(
      ({ type }: { type: string }) => type === 'document',
    );
    assert.deepEqual(
      items.map(({ data }: { data: Record<string, unknown> }) => [data['status_before'], data['status']]),
      [
        ['approved', 'sent'],
        ['draft', 'approved'],
        [null, 'draft'],
      ],
    );
    assert.deepEqual(items[0].data, {
      entity_type: 'invoice',
      entity_id: invoice.id,
      action: 'update',
      status: 'sent',
      status_before: 'approved',
      number: 'INV-2026-0001',
      subject: '4月分',
      total: 12_080,
    });
    const page = await seller.get(`${path}&limit=1&starting_after=${items[0].id}`);
    assert.deepEqual(page.body.data, [items[1]]);
    const salesman = await app.actor({ organization_id: seller.organization_id, scopes: ['crm:read'] });
    const shown = (await salesman.get(path)).body.data;
    assert.deepEqual([...new Set(shown.map(({ type }: { type: string }) => type))], ['field_change']);
  });
});
