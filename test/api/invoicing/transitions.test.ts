import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { endpoints } from '../../../api/endpoints.ts';
import { shownCode } from '../../../shared/domains.ts';
import { exampleDocument } from '../../../shared/invoicing/documents/example.ts';
import { kinds, type WrittenKind, writtenKinds } from '../../../shared/invoicing/documents/kinds.ts';
import { type Document, documentSchemas } from '../../../shared/invoicing/documents/shape.ts';
import { refusalsOf } from '../../../shared/invoicing/transitions/allowed.ts';
import {
  type DocumentAction,
  documentActions,
  type Transition,
  transitions,
} from '../../../shared/invoicing/transitions/table.ts';
import { startApp } from '../../support/app.ts';
import type { Reply } from '../../support/client.ts';
import { newSeller, type Seller } from '../../support/documents.ts';
import { toldBy } from '../../support/facts.ts';

const app = await startApp();

/** How a document of a kind comes to each of its statuses. */
const ways: Record<WrittenKind, Record<string, readonly string[]>> = {
  quotation: { draft: [], sent: ['send'], accepted: ['send', 'accept'], rejected: ['send', 'reject'] },
  invoice: {
    draft: [],
    approved: ['approve'],
    sent: ['approve', 'send'],
    partially_paid: ['approve', 'send', 'pay-a-part'],
    paid: ['approve', 'send', 'mark-paid'],
    cancelled: ['approve', 'cancel'],
  },
  delivery_note: { draft: [], delivered: ['deliver'] },
  purchase_order: { draft: [], sent: ['send'], accepted: ['send', 'accept'] },
};

const NO_PAYMENT = 'pay_00000000000000000000000000';

/** Makes a document in a status and answers it, with its newest payment. */
async function documentIn(seller: Seller, kind: WrittenKind, status: string) {
  const { id } = await seller.draft(kind);
  let payment_id = NO_PAYMENT;
  for (const step of ways[kind][status]!) {
    const reply = await (step === 'pay-a-part'
      ? seller.act(kind, id, 'mark-paid', { amount: 1 })
      : seller.act(kind, id, step));
    assert.ok(reply.status < 300, reply.text);
    payment_id = reply.body.payment?.id ?? payment_id;
  }
  const document = await seller.read(kind, id);
  assert.equal(document.status, status);
  return { document, payment_id };
}

/** What follows from the life of a document: which of its fields say something, and what can be done with it. */
function standingOf({ available_actions, email, pdf, line_items, totals, ...fields }: Document) {
  const optional =
    /^(number|company_snapshot|revises_id|.*_(at|by)|amount_paid|credited|balance|due_date|show_prices)$/;
  const said = Object.entries(fields).filter(([name]) => optional.test(name));
  return {
    available_actions,
    has_pdf: pdf.status !== 'none',
    is_settled: fields.balance === 0,
    is_begun: fields.amount_paid !== null && fields.amount_paid > 0,
    ...Object.fromEntries(said.map(([name, value]) => [name, value !== null])),
  };
}

/** Sends an action in its usual way. */
function attempt(
  seller: Seller,
  kind: WrittenKind,
  { id, payment_id }: { id: string; payment_id: string },
  action: DocumentAction,
): Promise<Reply> {
  const path = `/${kinds[kind].path}/${id}`;
  if (action === 'update') return seller.patch(path, { subject: '別件' });
  if (action === 'delete') return seller.delete(path);
  if (action === 'delete-payment') return seller.delete(`${path}/payments/${payment_id}`);
  return seller.act(kind, id, action, action === 'send-email' ? { to: ['a@example.com'] } : undefined);
}

/** The row of the table for a status, where the settings are those that an organization begins with. */
function wayFrom(kind: WrittenKind, status: string, action: DocumentAction): Transition | undefined {
  return transitions.find(
    (one) =>
      one.kind === kind &&
      one.action === action &&
      one.from.some((from) => from === status) &&
      !one.needs?.includes('no_approval_required'),
  );
}

/** The statuses that a document may have after an action that was allowed. */
function statusesAfter({ to, from }: Transition, action: DocumentAction, before: string): string[] {
  if (action === 'delete-payment') return ['approved', 'sent'];
  // What is paid in part and credited for the rest is settled.
  if (to === 'by balance') return [action === 'mark-paid' || before === 'partially_paid' ? 'paid' : before];
  if (to === 'same') return [before];
  // The worker marks it as sent once the mail is out.
  if (action === 'send-email' && from.some((status) => status === 'approved')) return ['approved', 'sent'];
  return [to];
}

test('every action of the table has a path, and every path an action', () => {
  const inTable = transitions.map(({ kind, action }) => `${kinds[kind].path} ${action}`);
  const ofOthers = /update|delete/;
  const wanted = [...new Set(inTable)].filter((one) => !ofOthers.test(one)).sort();
  const paths = endpoints.flatMap(({ method, path }) => {
    const [, collection, action] = /^\/api\/v1\/([a-z-]+)\/:id\/([a-z-]+)$/.exec(path) ?? [];
    const isDocument = Object.values(kinds).some((kind) => kind.path === collection);
    // A payment is what mark-paid makes, under another name.
    return method === 'post' && isDocument && action !== 'payments' ? [`${collection} ${action}`] : [];
  });
  assert.deepEqual(paths.sort(), wanted);
});

for (const kind of writtenKinds) {
  describe(`${kinds[kind].title}s`, () => {
    let seller: Seller;
    before(async () => {
      seller = await newSeller(app);
    });
    const actions = documentActions.filter((action) =>
      transitions.some((one) => one.kind === kind && one.action === action),
    );

    test('look in the reference as they really are in each status', async () => {
      for (const status of kinds[kind].statuses) {
        const { document } = await documentIn(seller, kind, status);
        const example = documentSchemas[kind].parse(exampleDocument(kind, status as never));
        assert.deepEqual(standingOf(example), standingOf(document), status);
      }
    });

    for (const status of kinds[kind].statuses) {
      const allowed = actions.filter((action) => wayFrom(kind, status, action));

      test(`that are ${status} say that they take ${allowed.join(', ') || 'nothing'}`, async () => {
        const { document } = await documentIn(seller, kind, status);
        assert.deepEqual(document.available_actions, allowed);
      });

      for (const action of actions) {
        const way = wayFrom(kind, status, action);
        if (way) {
          test(`that are ${status} take ${action}`, async () => {
            const { document, payment_id } = await documentIn(seller, kind, status);
            const reply = await attempt(seller, kind, { id: document.id, payment_id }, action);
            assert.ok(reply.status < 300, reply.text);
            if (way.to === 'gone') {
              assert.equal((await seller.get(`/${kinds[kind].path}/${document.id}`)).status, 404);
              return;
            }
            const now = await seller.read(kind, document.id);
            const expected = statusesAfter(way, action, status);
            assert.ok(expected.includes(now.status), `${now.status} is not ${expected.join(' or ')}`);
          });
          continue;
        }
        test(`that are ${status} refuse ${action}`, async () => {
          const { document, payment_id } = await documentIn(seller, kind, status);
          const told = await toldBy(app, seller.organization_id, async () => {
            const reply = await attempt(seller, kind, { id: document.id, payment_id }, action);
            if (payment_id === NO_PAYMENT && action === 'delete-payment') {
              assert.equal(reply.status, 404, reply.text);
              return;
            }
            assert.equal(reply.status, 409, reply.text);
            const codes = action === 'update' ? ['frozen'] : refusalsOf(kind, action).map(shownCode);
            assert.ok(codes.includes(reply.body.code), reply.text);
            assert.equal(reply.body.current_status, status);
            assert.deepEqual(reply.body.available_actions, allowed);
          });
          assert.deepEqual(told, { events: [], audit: [] });
          assert.deepEqual(await seller.read(kind, document.id), document);
        });
      }
    }
  });
}
