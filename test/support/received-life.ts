import assert from 'node:assert/strict';
import type { ReceivedKind } from '../../shared/received/documents/kinds.ts';
import type { TestApp } from './app.ts';
import { type Buyer, newBuyer, simple } from './received.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

/** Who decides on received documents, with what decisions follow from. */
export type Decider = Buyer & {
  /** Registers a document and does these things to it, each of which must succeed; answers it as it is then. */
  after(kind: ReceivedKind, actions: readonly string[], fields?: Record<string, unknown>): Promise<Shown>;
  /** An accepted purchase order of ours to the supplier, with the line that documents are registered with. */
  order(fields?: Record<string, unknown>): Promise<Shown>;
  /** Changes the settings of received documents. */
  settings(changes: Record<string, unknown>): Promise<void>;
};

/** An organization of its own with one supplier. */
export async function newDecider(
  app: TestApp,
  choice: Parameters<TestApp['actor']>[0] = {},
): Promise<Decider> {
  const buyer = await newBuyer(app, choice);
  return {
    ...buyer,
    async after(kind, actions, fields) {
      const { id } = await buyer.register(kind, fields);
      for (const action of actions) {
        const reply = await buyer.act(kind, id, action);
        assert.ok(reply.status < 300, `${action}: ${reply.text}`);
      }
      return buyer.read(kind, id);
    },
    async order(fields = {}) {
      const { id } = await buyer.make('/purchase-orders', {
        company_id: buyer.company.id,
        ...simple,
        ...fields,
      });
      for (const action of ['send', 'accept']) {
        const reply = await buyer.post(`/purchase-orders/${id}/${action}`);
        assert.equal(reply.status, 200, reply.text);
      }
      return (await buyer.get(`/purchase-orders/${id}`)).body.purchase_order;
    },
    async settings(changes) {
      const reply = await buyer.patch('/receive-settings', changes);
      assert.equal(reply.status, 200, reply.text);
    },
  };
}
