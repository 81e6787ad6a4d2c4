import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newSeller } from '../../support/documents.ts';
import { toldBy } from '../../support/facts.ts';

const app = await startApp({ now: () => new Date('2026-04-10T03:00:00Z') });

/** What differs between an invoice and the draft that revises it. */
const OWN = [
  'id',
  'number',
  'status',
  'revises_id',
  'company_snapshot',
  'pdf',
  'available_actions',
  'line_items',
  'approved_at',
  'approved_by',
  'sent_at',
  'created_at',
  'updated_at',
];

function without(document: Record<string, unknown>, fields: readonly string[]) {
  return Object.fromEntries(Object.entries(document).filter(([field]) => !fields.includes(field)));
}

describe('201', () => {
  test('a revision is a draft with all that the invoice has but its number', async () => {
    const seller = await newSeller(app);
    const old = await seller.after('invoice', ['approve', 'send'], {
      transaction_period: { from: '2026-03-01', to: '2026-03-31' },
      due_date: '2026-06-15',
      subject: '3月分',
      memo: '振込手数料はご負担ください。',
      internal_memo: '要確認',
      issuer_name: '別名',
      tax_rounding: 'ceil',
      withholding_mode: 'net',
    });
    const reply = await seller.act('invoice', old.id, 'revise');
    assert.equal(reply.status, 201, reply.text);
    const draft = reply.body.invoice;
    assert.equal(reply.headers.get('location'), `/api/v1/invoices/${draft.id}`);
    assert.deepEqual([draft.status, draft.number, draft.revises_id], ['draft', null, old.id]);
    assert.deepEqual(without(draft, OWN), without(old, OWN));
    const lines = (document: { line_items: { id: string }[] }) =>
      document.line_items.map((line) => without(line, ['id']));
    assert.deepEqual(lines(draft), lines(old));
    const now = await seller.read('invoice', old.id);
    assert.equal(now.status, 'sent');
    assert.ok(!now.available_actions.includes('revise'));
  });

  test('approving it cancels the old one in the same commit, which keeps its number', async () => {
    const seller = await newSeller(app);
    const old = await seller.after('invoice', ['approve', 'send']);
    const { body } = await seller.act('invoice', old.id, 'revise');
    await seller.patch(`/invoices/${body.invoice.id}`, { subject: '訂正' });
    const { events } = await toldBy(app, seller.organization_id, async () => {
      const reply = await seller.act('invoice', body.invoice.id, 'approve');
      assert.equal(reply.status, 200, reply.text);
      assert.equal(reply.body.invoice.number, 'INV-2026-0002');
    });
    assert.deepEqual(events.map(({ type, data }) => [type, data.id]).sort(), [
      ['invoice.approved', body.invoice.id],
      ['invoice.cancelled', old.id],
    ]);
    const { status, number, cancel_reason } = await seller.read('invoice', old.id);
    assert.deepEqual(
      [status, number, cancel_reason],
      ['cancelled', 'INV-2026-0001', 'INV-2026-0002 に差し替え'],
    );
  });

  test('after the draft was deleted the invoice can be revised again', async () => {
    const seller = await newSeller(app);
    const old = await seller.after('invoice', ['approve']);
    const first = await seller.act('invoice', old.id, 'revise');
    assert.equal((await seller.delete(`/invoices/${first.body.invoice.id}`)).status, 200);
    assert.equal((await seller.act('invoice', old.id, 'revise')).status, 201);
  });

  test('what a revised invoice took of a delivery note is taken once while its revision is a draft', async () => {
    const seller = await newSeller(app);
    const line = { description: 'コーヒー豆', quantity: '10', unit_price: '1000' };
    const note = await seller.after('delivery_note', ['deliver'], { line_items: [line] });
    const lines = [{ source_line_id: note.line_items[0].id, quantity: '6' }];
    const { invoice } = (await seller.act('delivery_note', note.id, 'convert', { lines })).body;
    await seller.act('invoice', invoice.id, 'approve');
    const revision = (await seller.act('invoice', invoice.id, 'revise')).body.invoice;
    assert.ok((await seller.read('delivery_note', note.id)).available_actions.includes('convert'));
    const rest = await seller.act('delivery_note', note.id, 'convert');
    assert.equal(rest.status, 201, rest.text);
    assert.equal(rest.body.invoice.line_items[0].quantity, '4');
    await seller.act('invoice', revision.id, 'approve');
    assert.equal((await seller.act('delivery_note', note.id, 'convert')).status, 409);
  });

  test('a revision stands in the place of the invoice towards what that was converted from', async () => {
    const seller = await newSeller(app);
    const quotation = await seller.after('quotation', ['send', 'accept']);
    const note = await seller.after('delivery_note', ['deliver']);
    for (const [kind, source] of [
      ['quotation', quotation],
      ['delivery_note', note],
    ] as const) {
      const { invoice } = (await seller.act(kind, source.id, 'convert')).body;
      await seller.act('invoice', invoice.id, 'approve');
      const { body } = await seller.act('invoice', invoice.id, 'revise');
      assert.deepEqual(body.invoice.source, [{ type: kind, id: source.id }]);
      await seller.act('invoice', body.invoice.id, 'approve');
      const now = await seller.read(kind, source.id);
      assert.deepEqual(now.converted_to, [{ type: 'invoice', id: body.invoice.id }]);
      assert.ok(!now.available_actions.includes('convert'));
      assert.equal((await seller.act(kind, source.id, 'convert')).status, 409);
    }
  });

  test('an invoice that was cancelled meanwhile stays as it is', async () => {
    const seller = await newSeller(app);
    const old = await seller.after('invoice', ['approve']);
    const { body } = await seller.act('invoice', old.id, 'revise');
    await seller.act('invoice', old.id, 'cancel', { reason: '取引中止' });
    const { events } = await toldBy(app, seller.organization_id, () =>
      seller.act('invoice', body.invoice.id, 'approve'),
    );
    assert.deepEqual(
      events.map(({ type }) => type),
      ['invoice.approved'],
    );
    assert.equal((await seller.read('invoice', old.id)).cancel_reason, '取引中止');
  });
});

describe('409', () => {
  test('already_revised names the open draft', async () => {
    const seller = await newSeller(app);
    const old = await seller.after('invoice', ['approve']);
    const first = await seller.act('invoice', old.id, 'revise');
    const { status, body } = await seller.act('invoice', old.id, 'revise');
    assert.deepEqual(
      [status, body.code, body.open_revision_id],
      [409, 'already_revised', first.body.invoice.id],
    );
    assert.match(body.detail, new RegExp(first.body.invoice.id));
  });

  test('has_payments: the old one was paid before its revision was approved; nothing happens', async () => {
    const seller = await newSeller(app);
    const old = await seller.after('invoice', ['approve']);
    const { body } = await seller.act('invoice', old.id, 'revise');
    await seller.act('invoice', old.id, 'mark-paid', { amount: 1 });
    const told = await toldBy(app, seller.organization_id, async () => {
      const refused = await seller.act('invoice', body.invoice.id, 'approve');
      assert.deepEqual([refused.status, refused.body.code], [409, 'has_payments']);
      assert.ok(!refused.body.available_actions.includes('approve'));
    });
    assert.deepEqual(told, { events: [], audit: [] });
    const draft = await seller.read('invoice', body.invoice.id);
    assert.deepEqual([draft.status, draft.number], ['draft', null]);
    assert.deepEqual(draft.available_actions, ['update', 'delete', 'duplicate']);
    const listed = (await seller.get('/invoices?status=draft')).body.items;
    assert.deepEqual(listed[0].available_actions, draft.available_actions);
    const next = await seller.after('invoice', ['approve']);
    assert.equal(next.number, 'INV-2026-0002');
  });

  test('has_credit_notes: the old one was credited before its revision was approved', async () => {
    const seller = await newSeller(app);
    const old = await seller.after('invoice', ['approve']);
    const { body } = await seller.act('invoice', old.id, 'revise');
    await seller.act('invoice', old.id, 'credit-notes');
    const refused = await seller.act('invoice', body.invoice.id, 'approve');
    assert.deepEqual([refused.status, refused.body.code], [409, 'has_credit_notes']);
    const draft = await seller.read('invoice', body.invoice.id);
    assert.deepEqual(draft.available_actions, ['update', 'delete', 'duplicate']);
  });
});
