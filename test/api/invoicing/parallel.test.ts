import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { shownCode } from '../../../shared/domains.ts';
import { refusalsOf } from '../../../shared/invoicing/transitions/allowed.ts';
import { startApp } from '../../support/app.ts';
import type { Reply } from '../../support/client.ts';
import { newSeller, type Seller } from '../../support/documents.ts';
import { toldBy } from '../../support/facts.ts';

const app = await startApp();

const times = <Result>(count: number, run: (n: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, n) => run(n)));

/** A seller whose requests are sent again where all connections were busy for too long: nothing was done then. */
async function patientSeller(): Promise<Seller> {
  const seller = await newSeller(app);
  return {
    ...seller,
    async act(...sent) {
      let reply = await seller.act(...sent);
      for (let again = 0; reply.status === 503 && again < 10; again++) reply = await seller.act(...sent);
      return reply;
    },
  };
}

/** Of requests that were sent at once, the one that succeeded; all others must have been refused by a rule. */
function onlySuccess(replies: readonly Reply[], codes: readonly string[]): Reply {
  const [success, ...others] = replies.filter(({ status }) => status < 300);
  assert.ok(success, 'none succeeded');
  assert.equal(others.length, 0, `${others.length + 1} succeeded`);
  for (const { status, body, text } of replies) {
    if (status < 300) continue;
    assert.equal(status, 409, text);
    assert.ok(codes.includes(body.code), text);
  }
  return success;
}

describe('200 invoices approved at once', () => {
  test('get 200 consecutive numbers', async () => {
    const seller = await patientSeller();
    const drafts = await times(200, () => seller.draft('invoice'));
    const replies = await Promise.all(drafts.map(({ id }) => seller.act('invoice', id, 'approve')));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
    const numbers = replies.map(({ body }) => body.invoice.number).sort();
    const expected = Array.from({ length: 200 }, (_, n) => `INV-2026-${String(n + 1).padStart(4, '0')}`);
    assert.deepEqual(numbers, expected);
  });

  test('pass over the numbers that were given by hand, and leave no hole where one is refused', async () => {
    const seller = await patientSeller();
    await seller.draft('invoice', { number: 'INV-2026-0003' });
    await seller.draft('invoice', { number: 'INV-2026-0004' });
    const cancelled = await seller.after('invoice', ['approve', 'cancel']);
    const drafts = await times(20, () => seller.draft('invoice'));
    const replies = await Promise.all([
      ...drafts.map(({ id }) => seller.act('invoice', id, 'approve')),
      ...drafts.map(() => seller.act('invoice', cancelled.id, 'approve')),
    ]);
    const numbers = replies.filter(({ status }) => status === 200).map(({ body }) => body.invoice.number);
    const expected = [1, 2, ...Array.from({ length: 19 }, (_, n) => n + 5)];
    assert.deepEqual(
      [cancelled.number, ...numbers].sort(),
      expected.map((n) => `INV-2026-${String(n).padStart(4, '0')}`),
    );
  });

  test('are never refused for a number that is given by hand meanwhile, whatever the day of that', async () => {
    const seller = await patientSeller();
    await seller.after('invoice', ['approve']);
    const drafts = await times(20, () => seller.draft('invoice'));
    const { company } = seller;
    const byHand = {
      company_id: company.id,
      issue_date: '2025-05-01',
      line_items: [{ description: '豆', unit_price: 1 }],
    };
    const [approved, given] = await Promise.all([
      Promise.all(drafts.map(({ id }) => seller.act('invoice', id, 'approve'))),
      times(20, (n) =>
        seller.post('/invoices', { ...byHand, number: `INV-2026-${String(n + 2).padStart(4, '0')}` }),
      ),
    ]);
    assert.deepEqual(new Set(approved.map(({ status }) => status)), new Set([200]));
    const numbers = [...approved, ...given].flatMap(({ body }) => body.invoice?.number ?? []);
    assert.equal(new Set(numbers).size, numbers.length);
    for (const { status, body } of given)
      assert.ok(status === 201 || body.code === 'already_exists', body.code);
  });

  test('count each period and kind by itself', async () => {
    const seller = await patientSeller();
    const drafts = await times(20, (n) => seller.draft('invoice', { issue_date: `20${20 + (n % 4)}-05-01` }));
    const replies = await Promise.all(drafts.map(({ id }) => seller.act('invoice', id, 'approve')));
    const numbers = replies.map(({ body }) => body.invoice.number).sort();
    const expected = [2020, 2021, 2022, 2023].flatMap((year) =>
      [1, 2, 3, 4, 5].map((n) => `INV-${year}-000${n}`),
    );
    assert.deepEqual(numbers, expected);
    assert.equal((await seller.draft('quotation')).number, 'QUO-2026-0001');
  });
});

describe('50 equal requests at once', () => {
  test('to approve an invoice: one approves it, with one number and one event', async () => {
    const seller = await patientSeller();
    const { id } = await seller.draft('invoice');
    const told = await toldBy(app, seller.organization_id, async () => {
      const replies = await times(50, () => seller.act('invoice', id, 'approve'));
      onlySuccess(replies, ['invalid_transition']);
    });
    assert.deepEqual(
      told.events.map(({ type }) => type),
      ['invoice.approved'],
    );
    assert.equal(told.audit.filter(({ entity_id }) => entity_id === id).length, 1);
    assert.equal((await seller.after('invoice', ['approve'])).number, 'INV-2026-0002');
  });

  test('to convert a quotation: one makes an invoice, the rest are told which', async () => {
    const seller = await patientSeller();
    const { id } = await seller.after('quotation', ['send', 'accept']);
    const replies = await times(50, () => seller.act('quotation', id, 'convert'));
    const { body } = onlySuccess(replies, ['already_converted']);
    const refused = replies.find(({ status }) => status === 409)!;
    assert.deepEqual(refused.body.converted_to, [{ type: 'invoice', id: body.invoice.id }]);
    assert.match(refused.body.detail, new RegExp(body.invoice.id));
    assert.equal((await seller.get('/invoices')).body.total, 1);
  });

  test('to convert a purchase order: one makes a received invoice', async () => {
    const seller = await patientSeller();
    const { id } = await seller.after('purchase_order', ['send', 'accept']);
    const replies = await times(50, () => seller.act('purchase_order', id, 'convert'));
    onlySuccess(replies, ['already_converted']);
  });

  test('to convert a delivery note: one makes an invoice of all of it', async () => {
    const seller = await patientSeller();
    const { id } = await seller.after('delivery_note', ['deliver']);
    const replies = await times(50, () => seller.act('delivery_note', id, 'convert'));
    onlySuccess(replies, ['invalid_transition']);
  });

  test('to revise an invoice: one makes a draft', async () => {
    const seller = await patientSeller();
    const { id } = await seller.after('invoice', ['approve']);
    const replies = await times(50, () => seller.act('invoice', id, 'revise'));
    onlySuccess(replies, ['already_revised']);
  });

  test('to mark an invoice as paid: one pays it', async () => {
    const seller = await patientSeller();
    const { id } = await seller.after('invoice', ['approve']);
    const replies = await times(50, () => seller.act('invoice', id, 'mark-paid'));
    onlySuccess(replies, refusalsOf('invoice', 'mark-paid').map(shownCode));
    assert.equal((await seller.read('invoice', id)).balance, 0);
  });

  test('to approve a revision or to pay what it replaces: one of the two happens', async () => {
    const seller = await patientSeller();
    const old = await seller.after('invoice', ['approve']);
    const { body } = await seller.act('invoice', old.id, 'revise');
    const replies = await times(50, (n) =>
      n % 2 === 0
        ? seller.act('invoice', body.invoice.id, 'approve')
        : seller.act('invoice', old.id, 'mark-paid'),
    );
    onlySuccess(replies, ['invalid_transition', 'has_payments']);
    const [before, after] = [
      await seller.read('invoice', old.id),
      await seller.read('invoice', body.invoice.id),
    ];
    const ends = [before.status, after.status].join(' and ');
    assert.ok(['cancelled and approved', 'paid and draft'].includes(ends), ends);
  });
});

describe('delivery notes converted by many at once', () => {
  test('never become more than was delivered, whatever notes go together in whatever order', async () => {
    const seller = await patientSeller();
    const notes = await times(6, () => seller.after('delivery_note', ['deliver']));
    const replies = await times(48, (n) => {
      const chosen = [notes[n % 6]!, notes[(n * 5 + 1) % 6]!, notes[(n + 3) % 6]!];
      const ids = [...new Set(chosen.map(({ id }) => id))];
      const lines = ids.flatMap((id) =>
        notes
          .find((note) => note.id === id)!
          .line_items.map((line: { id: string }) => ({ source_line_id: line.id, quantity: '1.5' })),
      );
      return seller.act('delivery_note', ids[0]!, 'convert', { delivery_note_ids: ids, lines });
    });
    for (const { status, text } of replies) assert.ok([201, 409, 422].includes(status), text);
    const taken = new Map<string, number>();
    for (const { body } of replies.filter(({ status }) => status === 201)) {
      for (const { source_line_id, quantity } of body.invoice.line_items) {
        taken.set(source_line_id, (taken.get(source_line_id) ?? 0) + Number(quantity));
      }
    }
    assert.ok(taken.size > 0);
    for (const { id, quantity } of notes.flatMap(({ line_items }) => line_items)) {
      const sum = taken.get(id) ?? 0;
      assert.ok(sum <= Number(quantity), `${sum} of ${quantity}`);
    }
    const most = Math.max(
      ...notes.flatMap(({ line_items }) => line_items).map(({ id }) => taken.get(id) ?? 0),
    );
    assert.ok(most >= 3, 'no note was converted in several parts');
  });
});
