import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { transaction } from '../../../shared/db/transaction.ts';
import { startApp } from '../../support/app.ts';
import type { Reply } from '../../support/client.ts';
import { toldBy } from '../../support/facts.ts';
import { somebodyWaits } from '../../support/held.ts';
import { type Decider, newDecider } from '../../support/received-life.ts';

const app = await startApp();

const times = <Result>(count: number, run: (n: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, n) => run(n)));

/** A buyer whose requests are sent again where all connections were busy for too long: nothing was done then. */
async function patientBuyer(): Promise<Decider> {
  const buyer = await newDecider(app);
  return {
    ...buyer,
    async act(...sent) {
      let reply = await buyer.act(...sent);
      for (let again = 0; reply.status === 503 && again < 10; again++) reply = await buyer.act(...sent);
      return reply;
    },
  };
}

/** Of requests that were sent at once, the one that succeeded; all others must have been refused by a rule. */
function onlySuccess(replies: readonly Reply[], codes: readonly string[]): Reply {
  const [success, ...others] = replies.filter(({ status }) => status < 300);
  assert.ok(success, `none succeeded: ${replies[0]!.text}`);
  assert.equal(others.length, 0, `${others.length + 1} succeeded`);
  for (const { status, body, text } of replies) {
    if (status < 300) continue;
    assert.equal(status, 409, text);
    assert.ok(codes.includes(body.code), text);
  }
  return success;
}

describe('of 50 equal calls at once one succeeds', () => {
  for (const [kind, before, action] of [
    ['invoice', [], 'approve'],
    ['invoice', [], 'reject'],
    ['invoice', ['approve'], 'reopen'],
    ['invoice', ['approve'], 'mark-paid'],
    ['quotation', [], 'approve'],
    ['quotation', ['approve'], 'convert'],
    ['purchase_order', ['approve'], 'fulfill'],
    ['delivery_note', [], 'confirm'],
    ['delivery_note', ['confirm'], 'reopen'],
  ] as const) {
    test(`to ${action} a received ${kind}`, async () => {
      const buyer = await patientBuyer();
      const { id } = await buyer.after(kind, before);
      const told = await toldBy(app, buyer.organization_id, async () => {
        const replies = await times(50, () => buyer.act(kind, id, action));
        onlySuccess(replies, [action === 'convert' ? 'already_converted' : 'invalid_transition']);
      });
      const own = told.audit.filter(({ entity_id }) => entity_id === id);
      assert.equal(own.length, action === 'convert' ? 0 : 1);
    });
  }
});

describe('of 50 removals at once one succeeds', () => {
  const onlyRemoval = (replies: readonly Reply[]) => {
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    for (const { status, text } of replies) assert.ok([200, 404, 503].includes(status), text);
  };

  test('of a document', async () => {
    const buyer = await patientBuyer();
    const { id } = await buyer.register('quotation');
    onlyRemoval(await times(50, () => buyer.delete(`/receive-quotations/${id}`)));
  });

  test('of a payment', async () => {
    const buyer = await patientBuyer();
    const { id } = await buyer.after('invoice', ['approve', 'mark-paid']);
    const [{ id: payment_id }] = (await buyer.read('invoice', id)).payments;
    onlyRemoval(await times(50, () => buyer.delete(`/received-invoices/${id}/payments/${payment_id}`)));
    assert.equal((await buyer.read('invoice', id)).status, 'approved');
  });
});

describe('invoices for the same goods at once', () => {
  test('never both pass where the policy blocks', async () => {
    const buyer = await patientBuyer();
    await buyer.settings({ match_policy: 'block' });
    const { id: purchase_order_id } = await buyer.order();
    await buyer.after('delivery_note', ['confirm'], { purchase_order_id });
    const invoices = await times(20, (n) =>
      buyer.register('invoice', { purchase_order_id, number: `B-${n}` }),
    );
    for (const { match } of invoices) assert.equal(match.status, 'matched');
    const replies = await times(40, (n) => buyer.act('invoice', invoices[n % 20]!.id, 'approve'));
    onlySuccess(replies, ['match_failed', 'invalid_transition']);
  });

  test('pass as far as goods were accepted', async () => {
    const buyer = await patientBuyer();
    await buyer.settings({ match_policy: 'block' });
    const { id: purchase_order_id } = await buyer.order();
    const line = { description: 'コピー用紙', unit_price: '1000' };
    await buyer.after('delivery_note', ['confirm'], {
      purchase_order_id,
      line_items: [{ ...line, quantity: '80' }],
    });
    const invoices = await times(9, (n) =>
      buyer.register('invoice', {
        purchase_order_id,
        number: `B-${n}`,
        line_items: [{ ...line, quantity: '30' }],
      }),
    );
    const replies = await Promise.all(invoices.map(({ id }) => buyer.act('invoice', id, 'approve')));
    assert.equal(replies.filter(({ status }) => status === 200).length, 2);
    assert.ok(replies.every(({ status, body }) => status === 200 || body.code === 'match_failed'));
  });

  test('an invoice is approved or the note that it counts on is reopened, never both', async () => {
    const buyer = await patientBuyer();
    await buyer.settings({ match_policy: 'block' });
    for (const round of [1, 2, 3, 4, 5]) {
      const { id: purchase_order_id } = await buyer.order();
      const note = await buyer.after('delivery_note', ['confirm'], { purchase_order_id });
      const invoice = await buyer.register('invoice', { purchase_order_id });
      const replies = await Promise.all([
        buyer.act('invoice', invoice.id, 'approve'),
        buyer.act('delivery_note', note.id, 'reopen'),
      ]);
      const ended = [await buyer.read('invoice', invoice.id), await buyer.read('delivery_note', note.id)];
      const statuses = ended.map(({ status }) => status).join(' and ');
      assert.ok(
        ['approved and confirmed', 'pending and pending'].includes(statuses),
        `${round}: ${statuses}`,
      );
      onlySuccess(replies, ['match_failed', 'in_use']);
    }
  });
});

describe('who waits for an order', () => {
  for (const [kind, before, action] of [
    ['invoice', [], 'approve'],
    ['delivery_note', ['confirm'], 'reopen'],
  ] as const) {
    test(`to ${action} a received ${kind} holds no document meanwhile, as a merge of companies does not`, async () => {
      const buyer = await patientBuyer();
      const { id: purchase_order_id } = await buyer.order();
      const { id } = await buyer.after(kind, before, { purchase_order_id });
      const values = [buyer.organization_id, purchase_order_id];
      const acting = await app.database.withConnection(buyer.organization_id, (connection) =>
        transaction(connection, async () => {
          await connection.query(
            'SELECT FROM invoicing_documents WHERE organization_id = $1 AND id = $2 FOR UPDATE',
            values,
          );
          const reply = buyer.act(kind, id, action);
          await somebodyWaits(app.database);
          await connection.query(
            'SELECT FROM received_documents WHERE organization_id = $1 AND id = $2 FOR UPDATE NOWAIT',
            [buyer.organization_id, id],
          );
          return { reply };
        }),
      );
      const { status, text } = await acting.reply;
      assert.equal(status, 200, text);
    });
  }
});

describe('first accounts of a company at once', () => {
  test('are not both taken', async () => {
    const buyer = await patientBuyer();
    const account = { bank: 'みずほ銀行', number: '1234567', holder: 'ヤマダ' };
    const invoices = await times(10, (n) =>
      buyer.register('invoice', { bank_account: { ...account, number: `123456${n}` } }),
    );
    const replies = await Promise.all(invoices.map(({ id }) => buyer.act('invoice', id, 'approve')));
    onlySuccess(replies, ['bank_account_changed']);
  });
});
