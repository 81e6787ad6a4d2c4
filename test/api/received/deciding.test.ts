import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { toldBy } from '../../support/facts.ts';
import { newDecider } from '../../support/received-life.ts';

const app = await startApp();

const account = {
  bank: 'みずほ銀行',
  bank_code: '0001',
  branch: '丸の内支店',
  branch_code: '004',
  number: '0012345',
  holder: 'ヤマダショウジ（カ',
};

describe('200', () => {
  test('an approval says who and when, and its booking day; reopened it says nothing of that', async () => {
    const buyer = await newDecider(app);
    const pending = await buyer.register('invoice');
    const told = await toldBy(app, buyer.organization_id, async () => {
      const { body, status } = await buyer.act('invoice', pending.id, 'approve', {
        posting_date: '2026-05-01',
      });
      assert.equal(status, 200);
      const { received_invoice: approved } = body;
      assert.equal(approved.status, 'approved');
      assert.equal(approved.approved_by, buyer.actor.user_id);
      assert.match(approved.approved_at, /^\d{4}-/);
      assert.equal(approved.posting_date, '2026-05-01');
      assert.deepEqual(await buyer.read('invoice', pending.id), approved);
    });
    assert.deepEqual(told.events, []);
    assert.deepEqual(
      told.audit.map(({ action, entity_id, changes }) => [action, entity_id, changes['status']]),
      [['update', pending.id, ['pending', 'approved']]],
    );
    const reopening = await toldBy(app, buyer.organization_id, async () => {
      const { body } = await buyer.act('invoice', pending.id, 'reopen', { reason: '計上月の誤り' });
      const { updated_at, ...again } = body.received_invoice;
      assert.deepEqual(again, without(pending, 'updated_at'));
    });
    assert.deepEqual(reopening.audit[0]!.changes['reopen_reason'], [null, '計上月の誤り']);
  });

  test('a rejection keeps the reason until it is reopened, and an order the day it was fulfilled', async () => {
    const buyer = await newDecider(app);
    const { id } = await buyer.register('quotation');
    const { received_quotation } = (await buyer.act('quotation', id, 'reject', { reason: '高い' })).body;
    assert.deepEqual([received_quotation.status, received_quotation.reject_reason], ['rejected', '高い']);
    assert.match(received_quotation.rejected_at, /^\d{4}-/);
    const { body } = await buyer.act('quotation', id, 'reopen');
    assert.deepEqual(
      [body.received_quotation.reject_reason, body.received_quotation.rejected_at],
      [null, null],
    );
    const order = await buyer.after('purchase_order', ['approve']);
    const fulfilled = await buyer.act('purchase_order', order.id, 'fulfill', { fulfilled_on: '2026-05-10' });
    assert.equal(fulfilled.body.received_purchase_order.fulfilled_on, '2026-05-10');
    assert.match(fulfilled.body.received_purchase_order.fulfilled_at, /^\d{4}-/);
  });

  test('a note is confirmed with what was accepted of each line, all of it unless said', async () => {
    const buyer = await newDecider(app);
    const line = { description: '豆', quantity: '10', unit_price: '1200' };
    const note = await buyer.register('delivery_note', {
      line_items: [line, line, { type: 'text', description: '分納' }],
    });
    const [first] = note.line_items;
    const lines = [{ id: first.id, accepted_quantity: '8', reason: '2袋が破損' }];
    const { body } = await buyer.act('delivery_note', note.id, 'confirm', { lines });
    const confirmed = body.received_delivery_note;
    assert.match(confirmed.confirmed_at, /^\d{4}-/);
    assert.deepEqual(
      confirmed.line_items.map((one: Record<string, unknown>) => [
        one['accepted_quantity'],
        one['reject_reason'],
      ]),
      [
        ['8', '2袋が破損'],
        ['10', null],
        [null, null],
      ],
    );
    const reopened = await buyer.act('delivery_note', note.id, 'reopen');
    assert.deepEqual(reopened.body.received_delivery_note.line_items, note.line_items);
  });

  test('a quotation past its day is approved with force alone', async () => {
    const buyer = await newDecider(app);
    const { id } = await buyer.register('quotation', { due_date: '2026-05-31' });
    const refused = await buyer.act('quotation', id, 'approve');
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.due_date],
      [409, 'expired', '2026-05-31'],
    );
    assert.equal((await buyer.act('quotation', id, 'approve', { force: true })).status, 200);
    const valid = await buyer.register('quotation', { due_date: '2099-05-31' });
    assert.equal((await buyer.act('quotation', valid.id, 'approve')).status, 200);
  });
});

describe('422', () => {
  test('incomplete, with an entry for each field that is missing, before who may decide', async () => {
    const buyer = await newDecider(app);
    await buyer.settings({ four_eyes: true });
    const { id, missing } = await buyer.make('/received-invoices', { number: '2026-118' });
    assert.deepEqual(missing, ['company_id', 'issue_date', 'line_items']);
    const { status, body } = await buyer.act('invoice', id, 'approve');
    assert.deepEqual([status, body.code], [422, 'incomplete']);
    assert.deepEqual(
      body.errors.map(({ path }: { path: string }) => path),
      ['/company_id', '/issue_date', '/line_items'],
    );
    const note = await buyer.make('/receive-delivery-notes', { company_name: '山田商店' });
    const refused = await buyer.act('delivery_note', note.id, 'confirm');
    assert.deepEqual(
      refused.body.errors.map(({ path }: { path: string }) => path),
      ['/issue_date'],
    );
  });

  test('an override without its reason, a day ahead, more accepted than came', async () => {
    const buyer = await newDecider(app);
    const note = await buyer.register('delivery_note');
    const order = await buyer.after('purchase_order', ['approve']);
    const invoice = await buyer.register('invoice');
    const lines = [{ id: note.line_items[0].id, accepted_quantity: '100.5' }];
    const replies = [
      await buyer.act('invoice', invoice.id, 'approve', { override_match: true }),
      await buyer.act('purchase_order', order.id, 'fulfill', { fulfilled_on: '2099-01-01' }),
      await buyer.act('delivery_note', note.id, 'confirm', { lines }),
    ];
    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.errors[0].path]),
      [
        [422, '/override_reason'],
        [422, '/fulfilled_on'],
        [422, '/lines/0/accepted_quantity'],
      ],
    );
  });
});

describe('409', () => {
  test('self_approval of who registered it, where four_eyes is on; somebody else approves', async () => {
    const buyer = await newDecider(app);
    await buyer.settings({ four_eyes: true });
    const { id, available_actions } = await buyer.register('invoice');
    assert.ok(!available_actions.includes('approve'));
    const refused = await buyer.act('invoice', id, 'approve');
    assert.deepEqual([refused.status, refused.body.code], [409, 'self_approval']);
    const other = await app.actor({ organization_id: buyer.organization_id });
    assert.equal((await other.post(`/received-invoices/${id}/approve`)).status, 200);
  });

  test('bank_account_changed since the last approved invoice of the company, unless it is confirmed', async () => {
    const buyer = await newDecider(app);
    const approve = async (bank_account: object | null, body?: object) => {
      const { id } = await buyer.register('invoice', { bank_account });
      return { id, reply: await buyer.act('invoice', id, 'approve', body) };
    };
    const first = await approve(account);
    assert.equal(first.reply.status, 200);
    assert.equal((await approve({ ...account, number: '12345', holder: 'ﾔﾏﾀﾞｼｮｳｼﾞ(ｶ' })).reply.status, 200);
    const { id } = (await approve(null)).reply.body.received_invoice;
    assert.equal((await buyer.read('invoice', id)).status, 'approved');
    const other = { ...account, number: '7654321' };
    const { reply } = await approve(other);
    assert.deepEqual([reply.status, reply.body.code], [409, 'bank_account_changed']);
    assert.match(reply.body.last_invoice_id, /^rinv_/);
    assert.equal((await approve(other, { confirm_bank_account: true })).reply.status, 200);
    assert.equal((await approve(other)).reply.status, 200);
    const back = await approve(account);
    assert.equal(back.reply.body.code, 'bank_account_changed');
    const elsewhere = await buyer.make('/crm/companies', { name: '別の仕入先' });
    const theirs = await buyer.register('invoice', { company_id: elsewhere.id, bank_account: other });
    assert.equal((await buyer.act('invoice', theirs.id, 'approve')).status, 200);
  });

  test('match_failed where the policy blocks, unless it is overridden; the audit log has the reason', async () => {
    const buyer = await newDecider(app);
    await buyer.settings({ match_policy: 'block' });
    const order = await buyer.order();
    const { id } = await buyer.register('invoice', { purchase_order_id: order.id });
    const refused = await buyer.act('invoice', id, 'approve');
    assert.deepEqual([refused.status, refused.body.code], [409, 'match_failed']);
    const overridden = { override_match: true, override_reason: '検収は後日' };
    const told = await toldBy(app, buyer.organization_id, async () => {
      const { status, body } = await buyer.act('invoice', id, 'approve', overridden);
      assert.equal(status, 200);
      assert.equal(body.received_invoice.match.status, 'mismatch');
    });
    assert.deepEqual(told.audit[0]!.changes['override_reason'], [null, '検収は後日']);
    await buyer.settings({ match_policy: 'warn' });
    const again = await buyer.after('invoice', ['approve'], { purchase_order_id: order.id, number: 'B' });
    assert.equal(again.match.status, 'mismatch');
  });

  test('in_use for a note whose order an invoice was approved for', async () => {
    const buyer = await newDecider(app);
    await buyer.settings({ match_policy: 'block' });
    const { id: purchase_order_id } = await buyer.order();
    const note = await buyer.after('delivery_note', ['confirm'], { purchase_order_id });
    assert.ok(note.available_actions.includes('reopen'));
    const invoice = await buyer.after('invoice', ['approve'], { purchase_order_id });
    assert.equal(invoice.match.status, 'matched');
    const refused = await buyer.act('delivery_note', note.id, 'reopen');
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.invoice_id],
      [409, 'in_use', invoice.id],
    );
    assert.ok(!refused.body.available_actions.includes('reopen'));
    assert.ok(!(await buyer.read('delivery_note', note.id)).available_actions.includes('reopen'));
    assert.equal((await buyer.act('invoice', invoice.id, 'reopen')).status, 200);
    assert.equal((await buyer.act('delivery_note', note.id, 'reopen')).status, 200);
  });

  test('duplicate_document for a rejected one whose number was registered again', async () => {
    const buyer = await newDecider(app);
    const { id } = await buyer.after('invoice', ['reject'], { number: '2026-118' });
    const other = await buyer.register('invoice', { number: '２０２６-１１８' });
    const { status, body } = await buyer.act('invoice', id, 'reopen');
    assert.deepEqual([status, body.code, body.existing_id], [409, 'duplicate_document', other.id]);
  });
});

describe('403 and 412', () => {
  test('to decide needs approvals:write, to confirm and fulfill received:write', async () => {
    const buyer = await newDecider(app);
    const [invoice, note] = [await buyer.register('invoice'), await buyer.register('delivery_note')];
    const writer = await app.actor({ organization_id: buyer.organization_id, scopes: ['received:write'] });
    for (const action of ['approve', 'reject', 'reopen']) {
      const { status, body } = await writer.post(`/received-invoices/${invoice.id}/${action}`);
      assert.deepEqual([status, body.required_scope], [403, 'approvals:write'], action);
    }
    assert.equal((await writer.post(`/receive-delivery-notes/${note.id}/confirm`)).status, 200);
    const stale = { 'If-Match': '"1"' };
    assert.equal((await buyer.post(`/received-invoices/${invoice.id}/approve`, {}, stale)).status, 412);
  });
});

function without(record: Record<string, unknown>, field: string) {
  const { [field]: _, ...rest } = record;
  return rest;
}
