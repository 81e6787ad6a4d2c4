import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newSeller, type Seller } from '../../support/documents.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';

const NOW = '2026-04-10T03:00:00.000Z';
const app = await startApp({ now: () => new Date(NOW) });

/** Another key in the organization of a seller, with these scopes. */
async function colleague(seller: Seller, scopes: NonNullable<Parameters<typeof app.actor>[0]>['scopes']) {
  return app.actor({ organization_id: seller.organization_id, scopes: scopes! });
}

describe('without approval_required', () => {
  test('send approves and sends a draft in one commit', async () => {
    const seller = await newSeller(app);
    await seller.settings({ approval_required: false });
    const { id, available_actions } = await seller.draft('invoice');
    assert.ok(available_actions.includes('send'));
    const { events } = await toldBy(app, seller.organization_id, async () => {
      const { status, body } = await seller.act('invoice', id, 'send');
      assert.equal(status, 200);
      const { approved_at, sent_at, number } = body.invoice;
      assert.deepEqual(
        [body.invoice.status, approved_at, sent_at, number],
        ['sent', NOW, NOW, 'INV-2026-0001'],
      );
    });
    assert.deepEqual(
      events.map(({ type, data }) => [type, data.status]),
      [
        ['invoice.approved', 'approved'],
        ['invoice.sent', 'sent'],
      ],
    );
  });

  test('403 for who may not approve, who may still send what was approved', async () => {
    const seller = await newSeller(app);
    await seller.settings({ approval_required: false });
    const clerk = await colleague(seller, ['invoicing:read', 'invoicing:write']);
    const [draft, approved] = [await seller.draft('invoice'), await seller.after('invoice', ['approve'])];
    const refused = await clerk.post(`/invoices/${draft.id}/send`);
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.required_scope],
      [403, 'insufficient_scope', 'approvals:write'],
    );
    const shown = (await clerk.get(`/invoices/${draft.id}`)).body.invoice;
    assert.deepEqual(shown.available_actions, ['update', 'delete', 'duplicate']);
    assert.equal((await clerk.post(`/invoices/${approved.id}/send`)).status, 200);
  });

  test('409 with it: a draft is approved first', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.draft('invoice');
    const { status, body } = await seller.act('invoice', id, 'send');
    assert.deepEqual([status, body.code], [409, 'invalid_transition']);
    assert.match(body.detail, /approval_required/);
  });
});

describe('403', () => {
  test('to approve needs approvals:write, and what a reader may do is nothing', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.draft('invoice');
    const clerk = await colleague(seller, ['invoicing:read', 'invoicing:write']);
    assert.equal((await clerk.post(`/invoices/${id}/approve`)).status, 403);
    const reader = await colleague(seller, ['invoicing:read']);
    assert.deepEqual((await reader.get(`/invoices/${id}`)).body.invoice.available_actions, []);
    const approver = await colleague(seller, ['invoicing:read', 'approvals:write']);
    assert.deepEqual((await approver.get(`/invoices/${id}`)).body.invoice.available_actions, ['approve']);
    assert.equal((await approver.post(`/invoices/${id}/approve`)).status, 200);
  });
});

describe('404', () => {
  test("of another organization's document, and of one of another kind", async () => {
    const [seller, other] = [await newSeller(app), await newSeller(app)];
    const { id } = await seller.draft('invoice');
    const quotation = await seller.draft('quotation');
    assert.equal((await other.act('invoice', id, 'approve')).status, 404);
    assert.equal((await other.act('quotation', quotation.id, 'send')).status, 404);
    assert.equal((await seller.read('invoice', id)).status, 'draft');
  });
});

describe('409', () => {
  test('expired: a quotation past its validity, without force', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('quotation', ['send'], { due_date: '2026-04-09' });
    const { status, body } = await seller.act('quotation', id, 'accept');
    assert.deepEqual([status, body.code, body.due_date], [409, 'expired', '2026-04-09']);
    assert.equal((await seller.read('quotation', id)).status, 'sent');
  });

  test('has_payments and has_credit_notes: such an invoice is not cancelled', async () => {
    const seller = await newSeller(app);
    const paid = await seller.after('invoice', ['approve', 'mark-paid']);
    assert.equal((await seller.act('invoice', paid.id, 'cancel')).body.code, 'has_payments');
    const credited = await seller.after('invoice', ['approve', 'credit-notes']);
    assert.equal((await seller.act('invoice', credited.id, 'cancel')).body.code, 'has_credit_notes');
    assert.equal((await seller.act('invoice', credited.id, 'revise')).body.code, 'has_credit_notes');
  });
});

describe('412', () => {
  test('an action on a document that has changed since', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.draft('invoice');
    const before = await seller.get(`/invoices/${id}`);
    await seller.patch(`/invoices/${id}`, { subject: '別件' });
    const etag = { 'If-Match': before.headers.get('etag')! };
    const refused = await seller.post(`/invoices/${id}/approve`, {}, etag);
    assert.deepEqual([refused.status, refused.body.code], [412, 'precondition_failed']);
    const fresh = { 'If-Match': (await seller.get(`/invoices/${id}`)).headers.get('etag')! };
    assert.equal((await seller.post(`/invoices/${id}/approve`, {}, fresh)).status, 200);
  });
});

describe('422', () => {
  test('not_qualified lists what is missing, where there is a registration number', async () => {
    const seller = await newSeller(app);
    await seller.settings({ issuer_registration_number: 'T7000012050002' });
    const lines = { line_items: [{ type: 'text', description: '明細は別紙' }] };
    const { id } = await seller.draft('invoice', lines);
    await seller.patch(`/invoices/${id}`, { issuer_name: null });
    const { status, body } = await seller.act('invoice', id, 'approve');
    assert.deepEqual([status, body.code], [422, 'not_qualified']);
    assert.deepEqual(faultsIn(body), ['/issuer_name required', '/line_items required']);
    const draft = await seller.read('invoice', id);
    assert.deepEqual([draft.status, draft.number], ['draft', null]);
    assert.equal((await seller.after('invoice', ['approve'])).number, 'INV-2026-0001');
  });

  test('without a registration number the same approves with a warning', async () => {
    const seller = await newSeller(app);
    const lines = { line_items: [{ type: 'text', description: '明細は別紙' }] };
    const { warnings, status } = await seller.after('invoice', ['approve'], lines);
    assert.equal(status, 'approved');
    assert.deepEqual(
      warnings.map(({ path }: { path: string }) => path),
      ['/issuer_registration_number'],
    );
  });

  test('to cancel without a reason, and fields that an action does not have', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('invoice', ['approve']);
    assert.deepEqual(faultsIn((await seller.act('invoice', id, 'cancel', {})).body), ['/reason required']);
    const blank = await seller.act('invoice', id, 'cancel', { reason: ' ' });
    assert.equal(blank.status, 422, blank.text);
    const quotation = await seller.after('quotation', ['send']);
    const unknown = await seller.act('quotation', quotation.id, 'accept', { forced: true });
    assert.deepEqual(faultsIn(unknown.body), ['/forced unknown_field']);
  });
});
