import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { WrittenKind } from '../../../shared/invoicing/documents/kinds.ts';
import { startApp } from '../../support/app.ts';
import { newSeller } from '../../support/documents.ts';
import { asCarried, toldBy } from '../../support/facts.ts';

const NOW = '2026-04-10T03:00:00.000Z';
const app = await startApp({ now: () => new Date(NOW) });

const REGISTRATION = 'T7000012050002';

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
    const seller = await newSeller(app);
    await seller.settings({
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

  test('the event of an approval shows the whole invoice, less its computed members', async () => {
    const seller = await newSeller(app, {
      scopes: ['invoicing:write', 'invoicing:read', 'crm:write', 'approvals:write'],
    });
    const { id } = await seller.draft('invoice');
    const { events } = await toldBy(app, seller.organization_id, () => seller.act('invoice', id, 'approve'));
    const shown = await seller.read('invoice', id);
    assert.deepEqual(events[0]!.data, asCarried(shown));
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
