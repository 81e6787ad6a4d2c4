import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { endpoints } from '../../../api/endpoints.ts';
import { shownCode } from '../../../shared/domains.ts';
import { kinds, type ReceivedKind, receivedKinds } from '../../../shared/received/documents/kinds.ts';
import { refusalsOf } from '../../../shared/received/transitions/allowed.ts';
import {
  type ReceivedAction,
  receivedActions,
  type Transition,
  transitions,
} from '../../../shared/received/transitions/table.ts';
import { startApp } from '../../support/app.ts';
import type { Reply } from '../../support/client.ts';
import { toldBy } from '../../support/facts.ts';
import { type Decider, newDecider } from '../../support/received-life.ts';
import { formWith } from '../../support/uploads.ts';

const app = await startApp();

/** How a document of a kind comes to each of its statuses. */
const ways: Record<ReceivedKind, Record<string, readonly string[]>> = {
  invoice: {
    pending: [],
    approved: ['approve'],
    rejected: ['reject'],
    partially_paid: ['approve', 'pay-a-part'],
    paid: ['approve', 'mark-paid'],
  },
  quotation: { pending: [], approved: ['approve'], rejected: ['reject'] },
  purchase_order: {
    pending: [],
    approved: ['approve'],
    rejected: ['reject'],
    fulfilled: ['approve', 'fulfill'],
  },
  delivery_note: { pending: [], confirmed: ['confirm'], rejected: ['reject'] },
};

const NO_PAYMENT = 'rpay_00000000000000000000000000';

/** Registers a document in a status and answers it, with its newest payment. */
async function documentIn(buyer: Decider, kind: ReceivedKind, status: string) {
  const { id } = await buyer.register(kind);
  let payment_id = NO_PAYMENT;
  for (const step of ways[kind][status]!) {
    const reply = await (step === 'pay-a-part'
      ? buyer.act(kind, id, 'mark-paid', { amount: 1 })
      : buyer.act(kind, id, step));
    assert.ok(reply.status < 300, reply.text);
    payment_id = reply.body.payment?.id ?? payment_id;
  }
  const document = await buyer.read(kind, id);
  assert.equal(document.status, status);
  return { document, payment_id };
}

/** Sends an action in its usual way. */
function attempt(
  buyer: Decider,
  kind: ReceivedKind,
  { id, payment_id }: { id: string; payment_id: string },
  action: ReceivedAction,
): Promise<Reply> {
  const path = `/${kinds[kind].path}/${id}`;
  if (action === 'update') return buyer.patch(path, { subject: '別件' });
  if (action === 'delete') return buyer.delete(path);
  if (action === 'delete-payment') return buyer.delete(`${path}/payments/${payment_id}`);
  if (action === 'files') return buyer.post(`${path}/files`, formWith(`品目,数\n${id},1\n`));
  return buyer.act(kind, id, action);
}

function wayFrom(kind: ReceivedKind, status: string, action: ReceivedAction): Transition | undefined {
  return transitions.find(
    (one) => one.kind === kind && one.action === action && one.from.some((from) => from === status),
  );
}

/** The status that a document has after an action that was allowed. */
function statusAfter({ to }: Transition, action: ReceivedAction, from: string): string {
  if (to === 'by balance') return action === 'mark-paid' ? 'paid' : 'approved';
  return to === 'same' ? from : to;
}

test('every action of the table has a path, and every path an action', () => {
  const inTable = transitions.map(({ kind, action }) => `${kinds[kind].path} ${action}`);
  const wanted = [...new Set(inTable)].filter((one) => !/update|delete/.test(one)).sort();
  const paths = endpoints.flatMap(({ method, path }) => {
    const [, collection, action] = /^\/api\/v1\/([a-z-]+)\/:id\/([a-z-]+)$/.exec(path) ?? [];
    const isReceived = Object.values(kinds).some((kind) => kind.path === collection);
    // An entry of the books is made of a document, and changes nothing of it.
    return method === 'post' && isReceived && action !== 'journals' ? [`${collection} ${action}`] : [];
  });
  assert.deepEqual(paths.sort(), wanted);
});

for (const kind of receivedKinds) {
  describe(`${kinds[kind].title.en}s`, () => {
    let buyer: Decider;
    before(async () => {
      buyer = await newDecider(app);
    });
    const actions = receivedActions.filter((action) =>
      transitions.some((one) => one.kind === kind && one.action === action),
    );

    for (const status of kinds[kind].statuses) {
      const allowed = actions.filter((action) => wayFrom(kind, status, action));

      test(`that are ${status} take ${allowed.join(', ') || 'nothing'}, and say so`, async () => {
        const { document } = await documentIn(buyer, kind, status);
        assert.deepEqual(document.available_actions, allowed);
        for (const action of allowed) {
          const { document, payment_id } = await documentIn(buyer, kind, status);
          const reply = await attempt(buyer, kind, { id: document.id, payment_id }, action);
          assert.ok(reply.status < 300, `${action}: ${reply.text}`);
          if (action === 'delete') {
            assert.equal((await buyer.get(`/${kinds[kind].path}/${document.id}`)).status, 404);
          } else {
            const now = await buyer.read(kind, document.id);
            assert.equal(now.status, statusAfter(wayFrom(kind, status, action)!, action, status), action);
          }
        }
      });

      const refused = actions.filter((action) => !allowed.includes(action));
      test(`that are ${status} refuse ${refused.join(', ') || 'nothing'}, and nothing is told`, async () => {
        const { document, payment_id } = await documentIn(buyer, kind, status);
        const told = await toldBy(app, buyer.organization_id, async () => {
          for (const action of refused) {
            const reply = await attempt(buyer, kind, { id: document.id, payment_id }, action);
            if (action === 'delete-payment' && payment_id === NO_PAYMENT) {
              assert.equal(reply.status, 404, reply.text);
              continue;
            }
            assert.equal(reply.status, 409, `${action}: ${reply.text}`);
            assert.ok(refusalsOf(kind, action).map(shownCode).includes(reply.body.code), reply.text);
            assert.equal(reply.body.current_status, status);
            assert.deepEqual(reply.body.available_actions, allowed);
          }
        });
        assert.deepEqual(told, { events: [], audit: [] });
        assert.deepEqual(await buyer.read(kind, document.id), document);
      });
    }
  });
}
