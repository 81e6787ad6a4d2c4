import assert from 'node:assert/strict';
import { kinds, type WrittenKind } from '../../shared/invoicing/documents/kinds.ts';
import type { TestActor } from './actors.ts';
import type { TestApp } from './app.ts';
import type { Client, Reply } from './client.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

/** What tests about documents begin with: an organization that has a customer. */
export type Seller = Client & {
  actor: TestActor;
  organization_id: string;
  company: Shown;
  /** Makes any record and answers it, sent to the path of its collection. */
  make(path: string, fields: Record<string, unknown>): Promise<Shown>;
  /** Makes a draft of two lines, 11,000 and 1,080 yen with tax, unless said otherwise. */
  draft(kind: WrittenKind, fields?: Record<string, unknown>): Promise<Shown>;
  /** Does something to a document. */
  act(kind: WrittenKind, id: string, action: string, body?: unknown): Promise<Reply>;
  /** Makes a document and does these things to it, each of which must succeed; answers it as it is then. */
  after(kind: WrittenKind, actions: readonly string[], fields?: Record<string, unknown>): Promise<Shown>;
  /** Changes the settings. */
  settings(changes: Record<string, unknown>): Promise<void>;
  /** A document as it is now. */
  read(kind: WrittenKind, id: string): Promise<Shown>;
};

/** What an action needs to be sent. */
const bodies: Record<string, unknown> = { cancel: { reason: '誤り' }, 'credit-notes': { reason: '返品' } };

/** An organization of its own with one customer. */
export async function newSeller(app: TestApp, choice: Parameters<TestApp['actor']>[0] = {}): Promise<Seller> {
  const client = await app.actor(choice);
  async function make(path: string, fields: Record<string, unknown>): Promise<Shown> {
    const reply = await client.post(path, fields);
    assert.equal(reply.status, 201, reply.text);
    return Object.values(reply.body)[0];
  }
  const company = await make('/crm/companies', { name: '株式会社山田商店' });
  const draft: Seller['draft'] = (kind, fields = {}) =>
    make(`/${kinds[kind].path}`, {
      company_id: company.id,
      issue_date: '2026-04-01',
      ...(kind === 'quotation' && { due_date: '2099-12-31' }),
      line_items: [
        { description: 'コーヒー豆', quantity: '10', unit_price: '1000', item_code: 'CB-1', unit: '袋' },
        { description: '菓子', quantity: '4', unit_price: '250', tax_category: 'reduced' },
      ],
      ...fields,
    });
  const act: Seller['act'] = (kind, id, action, body) =>
    client.post(`/${kinds[kind].path}/${id}/${action}`, body ?? bodies[action]);
  async function read(kind: WrittenKind, id: string): Promise<Shown> {
    const reply = await client.get(`/${kinds[kind].path}/${id}`);
    assert.equal(reply.status, 200, reply.text);
    return reply.body[kind];
  }
  return {
    ...client,
    organization_id: client.actor.organization_id,
    company,
    make,
    draft,
    act,
    read,
    async settings(changes) {
      const reply = await client.patch('/invoice-settings', changes);
      assert.equal(reply.status, 200, reply.text);
    },
    async after(kind, actions, fields) {
      const { id } = await draft(kind, fields);
      for (const action of actions) {
        const reply = await act(kind, id, action);
        assert.ok(reply.status < 300, `${action}: ${reply.text}`);
      }
      return read(kind, id);
    },
  };
}
