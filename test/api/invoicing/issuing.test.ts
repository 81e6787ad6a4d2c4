import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { WrittenKind } from '../../../shared/invoicing/documents/kinds.ts';
import { startApp } from '../../support/app.ts';
import { newSeller, type Seller } from '../../support/documents.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';

const NOW = '2026-04-10T03:00:00.000Z';
const app = await startApp({ now: () => new Date(NOW) });

const REGISTRATION = 'T7000012050002';

/** A seller whose settings are changed. */
async function sellerWith(settings: Record<string, unknown>, choice = {}): Promise<Seller> {
  const seller = await newSeller(app, choice);
  const reply = await seller.patch('/invoice-settings', settings);
  assert.equal(reply.status, 200, reply.text);
  return seller;
}

/** Another key in the organization of a seller, with these scopes. */
async function colleague(seller: Seller, scopes: NonNullable<Parameters<typeof app.actor>[0]>['scopes']) {
  return app.actor({ organization_id: seller.organization_id, scopes: scopes! });
}

describe('200 of what issues a document', () => {
  const issuing: [WrittenKind, string, string, string][] = [
    ['quotation', 'send', 'sent', 'sent_at'],
    ['invoice', 'approve', 'approved', 'approved_at'],
    ['delivery_note', 'deliver', 'delivered', 'delivered_at'],
    ['purchase_order', 'send', 'sent', 'sent_at'],
  ];
  for (const [kind, action, status, at] of issuing) {
    test(`${action} gives a ${kind} its number, company, registration and PDF, and keeps all of it`, async () => {
      const seller = await newSeller(app);
      await seller.patch(`/crm/companies/${seller.company.id}`, {
        postal_code: '100-0001',
        city: '千代田区',
      });
      const draft = await seller.draft(kind);
      assert.equal(draft.company_snapshot, null);
      await seller.patch('/invoice-settings', { issuer_registration_number: REGISTRATION });
      const reply = await seller.act(kind, draft.id, action);
      assert.equal(reply.status, 200, reply.text);
      const issued = reply.body[kind];
      assert.match(issued.number, /^(QUO|INV|DN|PO)-2026-0001$/);
      assert.equal(issued.status, status);
      assert.equal(issued[at], NOW);
      assert.equal(issued.issuer_registration_number, REGISTRATION);
      assert.equal(issued.company_snapshot.name, '株式会社山田商店');
      assert.equal(issued.company_snapshot.postal_code, '100-0001');
      assert.equal(issued.pdf.status, 'rendering');
      if (kind === 'invoice') assert.equal(issued.approved_by, seller.actor.user_id);
      await seller.patch(`/crm/companies/${seller.company.id}`, { name: '別の名前' });
      await seller.patch('/invoice-settings', { issuer_registration_number: null, locale: 'en' });
      assert.deepEqual(await seller.read(kind, draft.id), issued);
      const [frozen] = await app.database.withConnection(seller.organization_id, ({ query }) =>
        query<{ print: { recipient: { name: string }; number: string; locale: string; draft_mark: null } }>(
          'SELECT print FROM invoicing_prints WHERE organization_id = $1 AND document_id = $2',
          [seller.organization_id, draft.id],
        ),
      );
      const { recipient, number, locale, draft_mark } = frozen!.print;
      assert.deepEqual(
        [recipient.name, number, locale, draft_mark],
        ['株式会社山田商店', issued.number, 'ja', null],
      );
    });
  }

  test('a number given by hand stays, and its counter does not move', async () => {
    const seller = await newSeller(app);
    const byHand = await seller.after('invoice', ['approve'], { number: '特別-1' });
    assert.equal(byHand.number, '特別-1');
    assert.equal((await seller.after('invoice', ['approve'])).number, 'INV-2026-0001');
  });

  test('numbers follow the settings: pattern, fiscal year, when they are given', async () => {
    const seller = await sellerWith({
      fiscal_year_start_month: 4,
      numbering: {
        invoice: { pattern: '請{YY}-{SEQ:2}', reset: 'fiscal_year', assign_on: 'create' },
        quotation: { pattern: 'Q{YYYY}{MM}-{SEQ:3}', reset: 'month', assign_on: 'issue' },
      },
    });
    assert.equal((await seller.draft('invoice', { issue_date: '2026-03-31' })).number, '請25-01');
    const spring = await seller.draft('invoice', { issue_date: '2026-04-01' });
    assert.equal(spring.number, '請26-01');
    assert.equal((await seller.act('invoice', spring.id, 'approve')).body.invoice.number, '請26-01');
    assert.equal((await seller.draft('quotation')).number, null);
    assert.equal((await seller.after('quotation', ['send'])).number, 'Q202604-001');
    const may = await seller.after('quotation', ['send'], { issue_date: '2026-05-31' });
    assert.equal(may.number, 'Q202605-001');
  });
});

describe('200 of the other actions', () => {
  test('an invoice is approved, then sent, each with its event alone', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.draft('invoice');
    const told = await toldBy(app, seller.organization_id, async () => {
      await seller.act('invoice', id, 'approve');
      const { body } = await seller.act('invoice', id, 'send');
      assert.deepEqual([body.invoice.status, body.invoice.sent_at], ['sent', NOW]);
    });
    assert.deepEqual(
      told.events.map(({ type, data, previous_attributes }) => [
        type,
        data.status,
        previous_attributes!.status,
      ]),
      [
        ['invoice.approved', 'approved', 'draft'],
        ['invoice.sent', 'sent', 'approved'],
      ],
    );
    const audit = told.audit.filter(({ entity_id }) => entity_id === id);
    assert.deepEqual(
      audit.map(({ action, changes }) => [action, changes.status]),
      [
        ['update', ['draft', 'approved']],
        ['update', ['approved', 'sent']],
      ],
    );
  });

  test('the event of an approval shows the whole invoice, and what anybody may do with it', async () => {
    const seller = await newSeller(app, {
      scopes: ['invoicing:write', 'invoicing:read', 'crm:write', 'approvals:write'],
    });
    const { id } = await seller.draft('invoice');
    const { events } = await toldBy(app, seller.organization_id, () => seller.act('invoice', id, 'approve'));
    const shown = await seller.read('invoice', id);
    const { available_actions, ...data } = events[0]!.data as Record<string, unknown>;
    const { available_actions: own, ...rest } = shown;
    assert.deepEqual(data, rest);
    assert.deepEqual(available_actions, own);
  });

  test('a quotation is accepted or rejected, which stands in the audit log alone', async () => {
    const seller = await newSeller(app);
    const [one, other] = [
      await seller.after('quotation', ['send']),
      await seller.after('quotation', ['send']),
    ];
    const told = await toldBy(app, seller.organization_id, async () => {
      const accepted = await seller.act('quotation', one.id, 'accept');
      assert.deepEqual(
        [accepted.body.quotation.status, accepted.body.quotation.accepted_at],
        ['accepted', NOW],
      );
      const rejected = await seller.act('quotation', other.id, 'reject', { reason: '予算がない' });
      const { status, rejected_at, reject_reason } = rejected.body.quotation;
      assert.deepEqual([status, rejected_at, reject_reason], ['rejected', NOW, '予算がない']);
    });
    assert.deepEqual(told.events, []);
    assert.deepEqual(
      told.audit.map(({ entity_type, action }) => [entity_type, action]),
      [
        ['quotation', 'update'],
        ['quotation', 'update'],
      ],
    );
  });

  test('a quotation past its validity is accepted with force', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('quotation', ['send'], { due_date: '2026-04-09' });
    assert.equal((await seller.read('quotation', id)).is_expired, true);
    const reply = await seller.act('quotation', id, 'accept', { force: true });
    assert.equal(reply.body.quotation.status, 'accepted');
  });

  test('its last day is today in the zone of the settings', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('quotation', ['send'], { due_date: '2026-04-10' });
    assert.equal((await seller.act('quotation', id, 'accept')).status, 200);
  });

  test('a cancelled invoice keeps its number and says why', async () => {
    const seller = await newSeller(app);
    const approved = await seller.after('invoice', ['approve', 'send']);
    const told = await toldBy(app, seller.organization_id, async () => {
      const { body } = await seller.act('invoice', approved.id, 'cancel', { reason: '二重発行' });
      const { status, number, cancelled_at, cancel_reason, sent_at } = body.invoice;
      assert.deepEqual(
        [status, number, cancelled_at, cancel_reason, sent_at],
        ['cancelled', approved.number, NOW, '二重発行', approved.sent_at],
      );
    });
    assert.deepEqual(
      told.events.map(({ type }) => type),
      ['invoice.cancelled'],
    );
  });
});

describe('without approval_required', () => {
  test('send approves and sends a draft in one commit', async () => {
    const seller = await sellerWith({ approval_required: false });
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
    const seller = await sellerWith({ approval_required: false });
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
    const seller = await sellerWith({ issuer_registration_number: REGISTRATION });
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
