import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { kinds, type WrittenKind, writtenKinds } from '../../../shared/invoicing/documents/kinds.ts';
import { startApp } from '../../support/app.ts';
import { newSeller } from '../../support/documents.ts';
import { toldBy } from '../../support/facts.ts';

// 2026-03-31 in UTC is the next day in Tokyo.
const app = await startApp({ now: () => new Date('2026-03-31T20:00:00Z') });

const everyKind = (run: (kind: WrittenKind) => Promise<void>) => Promise.all(writtenKinds.map(run));

describe('201', () => {
  test('a document with its customer, day and lines alone has its defaults', async () => {
    const seller = await newSeller(app);
    await everyKind(async (kind) => {
      const made = await seller.make(`/${kinds[kind].path}`, {
        company_id: seller.company.id,
        issue_date: '2026-04-01',
        line_items: [{ description: ' 豆 ', unit_price: 1500 }],
      });
      assert.equal(made.object, `invoicing.${kind}`);
      assert.equal(made.status, 'draft');
      assert.equal(made.honorific, '御中');
      assert.deepEqual([made.transaction_date, made.transaction_period], ['2026-04-01', null]);
      const due = {
        quotation: '2026-05-01',
        invoice: '2026-05-31',
        delivery_note: null,
        purchase_order: null,
      };
      assert.equal(made.due_date, due[kind]);
      assert.equal(made.show_prices, kind === 'delivery_note' ? true : null);
      const number = { quotation: 'QUO', invoice: null, delivery_note: 'DN', purchase_order: 'PO' }[kind];
      assert.equal(made.number, number && `${number}-2026-0001`);
      assert.deepEqual(
        [made.tax_display_mode, made.tax_rounding, made.withholding_mode, made.currency],
        ['exclusive', 'floor', 'none', 'JPY'],
      );
      const [{ id, ...line }] = made.line_items;
      assert.match(id, /^li_/);
      assert.deepEqual(line, {
        type: 'item',
        description: '豆',
        item_code: null,
        quantity: '1',
        unit: null,
        unit_price: '1500',
        tax_category: 'standard',
        tax_rate: 10,
        withholding: false,
        amount: 1500,
        source_line_id: null,
      });
      assert.deepEqual(made.totals, {
        subtotal: 1500,
        tax: 150,
        total: 1650,
        withholding_tax: 0,
        amount_due: 1650,
        tax_breakdown: [{ tax_category: 'standard', tax_rate: 10, net: 1500, tax: 150, gross: 1650 }],
      });
      assert.equal(made.balance, kind === 'invoice' ? 1650 : null);
      assert.equal(made.company_snapshot, null);
      assert.equal(made.created_by, seller.actor.user_id);
      assert.deepEqual(await seller.read(kind, made.id), made);
    });
  });

  test('the settings and the terms of the customer are the defaults of what is not sent', async () => {
    const seller = await newSeller(app);
    const account = { bank: 'みずほ銀行', number: '1234567', holder: 'ヤマダ（カ' };
    await seller.patch('/invoice-settings', {
      issuer_name: '山田商事',
      issuer_detail: '東京都',
      issuer_registration_number: 'T7000012050002',
      bank_account: account,
      default_tax_display_mode: 'inclusive',
      default_tax_rounding: 'ceil',
      memo_templates: { invoice: '振込手数料はご負担ください。' },
      default_due: { closing_day: 20, months_later: 1, pay_day: 10 },
    });
    const ours = await seller.draft('invoice');
    assert.deepEqual(
      [ours.issuer_name, ours.issuer_detail, ours.issuer_registration_number, ours.memo, ours.due_date],
      ['山田商事', '東京都', 'T7000012050002', '振込手数料はご負担ください。', '2026-05-10'],
    );
    assert.deepEqual([ours.tax_display_mode, ours.tax_rounding], ['inclusive', 'ceil']);
    assert.equal(ours.bank_account.number, '1234567');
    assert.deepEqual(ours.warnings, []);
    await seller.patch(`/crm/companies/${seller.company.id}`, {
      honorific: '様',
      payment_terms: { closing_day: 'end', months_later: 2, pay_day: 'end' },
    });
    const theirs = await seller.draft('invoice', { memo: null, issuer_detail: null, bank_account: null });
    assert.deepEqual([theirs.honorific, theirs.due_date], ['様', '2026-06-30']);
    assert.deepEqual([theirs.memo, theirs.issuer_detail, theirs.bank_account], [null, null, null]);
  });

  test('the registration number of a draft is that of the settings now, of an issued document that of its issue', async () => {
    const seller = await newSeller(app);
    const draft = await seller.draft('invoice');
    assert.deepEqual(
      draft.warnings.map(({ code }: { code: string }) => code),
      ['no_registration_number'],
    );
    await seller.settings({ issuer_registration_number: 'T7000012050002' });
    const seen = await seller.read('invoice', draft.id);
    assert.deepEqual([seen.issuer_registration_number, seen.warnings], ['T7000012050002', []]);
    await seller.act('invoice', draft.id, 'approve');
    await seller.settings({ issuer_registration_number: null });
    const issued = await seller.read('invoice', draft.id);
    assert.deepEqual([issued.issuer_registration_number, issued.warnings], ['T7000012050002', []]);
  });

  test('a document with everything is read back as it was answered', async () => {
    const seller = await newSeller(app);
    const contact = await seller.make('/crm/contacts', { first_name: '花子', last_name: '山田' });
    const sent = {
      number: 'D-1',
      contact_id: contact.id,
      honorific: '',
      subject: '4月分',
      transaction_period: { from: '2026-04-01', to: '2026-04-30' },
      issuer_name: '発行者',
      issuer_detail: '住所\n電話',
      memo: '備考',
      internal_memo: '社内',
      delivery_date: '2026-04-20',
      delivery_place: '倉庫',
      payment_terms_text: '月末締め',
      show_prices: false,
      tax_display_mode: 'inclusive',
      tax_rounding: 'round',
      withholding_mode: 'net',
      currency: 'JPY',
      line_items: [
        { type: 'text', description: '内訳' },
        {
          description: 'a',
          quantity: '2.50',
          unit: 'kg',
          unit_price: '-0.125',
          item_code: 'A',
          withholding: true,
        },
        { description: 'b', quantity: -1, unit_price: '999', tax_category: 'exempt' },
      ],
    };
    const note = await seller.draft('delivery_note', sent);
    for (const [field, value] of Object.entries(sent)) {
      if (field !== 'line_items') assert.deepEqual(note[field], value, field);
    }
    assert.equal(note.transaction_date, null);
    const shown = note.line_items.map((line: Record<string, unknown>) => [
      line['type'],
      line['quantity'],
      line['unit_price'],
      line['tax_rate'],
      line['amount'],
    ]);
    assert.deepEqual(shown, [
      ['text', null, null, null, null],
      ['item', '2.5', '-0.125', 10, 0],
      ['item', '-1', '999', 0, -999],
    ]);
    assert.deepEqual(await seller.read('delivery_note', note.id), note);
  });

  test('making one is an event for invoices and an audit entry for all', async () => {
    const seller = await newSeller(app);
    await seller.draft('quotation');
    for (const kind of writtenKinds) {
      let made: Record<string, unknown> = {};
      const told = await toldBy(app, seller.organization_id, async () => {
        made = await seller.draft(kind);
      });
      assert.deepEqual(
        told.audit.map(({ entity_type, entity_id, action }) => [entity_type, entity_id, action]),
        [[kind, made['id'], 'create']],
      );
      assert.deepEqual(
        told.events.map(({ type }) => type),
        kind === 'invoice' ? ['invoice.created'] : [],
      );
    }
  });

  test('a copy is a draft of today in Tokyo, without number and dates of its original', async () => {
    const seller = await newSeller(app);
    const original = await seller.after('quotation', ['send', 'accept'], {
      subject: '見積',
      issue_date: '2026-01-10',
      transaction_date: '2026-01-05',
    });
    const reply = await seller.act('quotation', original.id, 'duplicate');
    assert.equal(reply.status, 201, reply.text);
    const copy = reply.body.quotation;
    assert.equal(reply.headers.get('location'), `/api/v1/quotations/${copy.id}`);
    assert.deepEqual([copy.status, copy.number, copy.subject], ['draft', 'QUO-2026-0002', '見積']);
    assert.deepEqual(
      [copy.issue_date, copy.transaction_date, copy.due_date],
      ['2026-04-01', '2026-04-01', '2026-05-01'],
    );
    const bare = (lines: Record<string, unknown>[]) => lines.map(({ id, ...line }) => line);
    assert.deepEqual(bare(copy.line_items), bare(original.line_items));
    assert.deepEqual([copy.sent_at, copy.accepted_at, copy.source], [null, null, []]);
  });
});

describe('200', () => {
  test('a preview is what would be made, and leaves nothing behind', async () => {
    const seller = await newSeller(app);
    await everyKind(async (kind) => {
      const path = `/${kinds[kind].path}`;
      const body = {
        company_id: seller.company.id,
        issue_date: '2026-04-01',
        transaction_period: { from: '2019-09-01', to: '2019-10-31' },
        line_items: [{ description: 'x', unit_price: 100 }],
      };
      const told = await toldBy(app, seller.organization_id, async () => {
        const reply = await seller.post(`${path}/preview`, body);
        assert.equal(reply.status, 200, reply.text);
        const shown = reply.body[kind];
        assert.deepEqual([shown.id, shown.number, shown.line_items[0].id], [null, null, null]);
        assert.equal(shown.totals.total, 110);
        assert.ok(shown.warnings.some(({ code }: { code: string }) => code === 'period_spans_rate_change'));
      });
      assert.deepEqual(told, { events: [], audit: [] });
      assert.equal((await seller.get(path)).body.total, 0);
    });
    const company = (await seller.get(`/crm/companies/${seller.company.id}`)).body.company;
    assert.equal(company.customer_since, null);
  });

  test('a draft is deleted with its lines, and told of', async () => {
    const seller = await newSeller(app);
    await everyKind(async (kind) => {
      const made = await seller.draft(kind);
      const path = `/${kinds[kind].path}/${made.id}`;
      assert.deepEqual((await seller.delete(path)).body, { success: true });
      assert.equal((await seller.get(path)).status, 404);
      assert.equal((await seller.delete(path)).status, 404);
    });
    const lines = await app.database.withConnection(seller.organization_id, ({ query }) =>
      query('SELECT id FROM invoicing_lines WHERE organization_id = $1', [seller.organization_id]),
    );
    assert.deepEqual(lines, []);
    const logs = await seller.get('/invoices/audit-logs?action=delete');
    assert.deepEqual(
      logs.body.items.map(({ entity_type }: { entity_type: string }) => entity_type).sort(),
      [...writtenKinds].sort(),
    );
    const events = await seller.get('/events?type=invoice.deleted');
    assert.equal(events.body.data.length, 1);
  });
});
