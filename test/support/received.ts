import assert from 'node:assert/strict';
import { kinds, type ReceivedKind } from '../../shared/received/documents/kinds.ts';
import type { TestActor } from './actors.ts';
import type { TestApp } from './app.ts';
import type { Client, Reply } from './client.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

/** What tests about received documents begin with: an organization that has a supplier. */
export type Buyer = Client & {
  actor: TestActor;
  organization_id: string;
  company: Shown;
  /** Makes any record and answers it, sent to the path of its collection. */
  make(path: string, fields: Record<string, unknown>): Promise<Shown>;
  /** Tries to register a document of the supplier, of one line of 100,000 yen and its tax unless said otherwise. */
  attempt(kind: ReceivedKind, fields?: Record<string, unknown>): Promise<Reply>;
  /** The same, which must succeed; answers the document. */
  register(kind: ReceivedKind, fields?: Record<string, unknown>): Promise<Shown>;
  /** Changes a document. */
  change(kind: ReceivedKind, id: string, fields: Record<string, unknown>): Promise<Reply>;
  /** Does something to a document. */
  act(kind: ReceivedKind, id: string, action: string, body?: unknown): Promise<Reply>;
  /** A document as it is now. */
  read(kind: ReceivedKind, id: string): Promise<Shown>;
};

/** A document that nobody has sent before: the day and the line are enough for a decision. */
export const simple = {
  issue_date: '2026-11-02',
  line_items: [{ description: 'コピー用紙', quantity: '100', unit_price: '1000' }],
};

/** An organization of its own with one supplier. */
export async function newBuyer(app: TestApp, choice: Parameters<TestApp['actor']>[0] = {}): Promise<Buyer> {
  const client = await app.actor(choice);
  const make: Buyer['make'] = async (path, fields) => {
    const reply = await client.post(path, fields);
    assert.equal(reply.status, 201, reply.text);
    return Object.values(reply.body)[0];
  };
  const company = await make('/crm/companies', { name: '株式会社港文具' });
  const pathOf = (kind: ReceivedKind, id: string) => `/${kinds[kind].path}/${id}`;
  const attempt = (kind: ReceivedKind, fields: Record<string, unknown> = {}) =>
    client.post(`/${kinds[kind].path}`, { company_id: company.id, ...simple, ...fields });
  return {
    ...client,
    organization_id: client.actor.organization_id,
    company,
    make,
    attempt,
    async register(kind, fields) {
      const reply = await attempt(kind, fields);
      assert.equal(reply.status, 201, reply.text);
      return reply.body[kinds[kind].name];
    },
    change: (kind, id, fields) => client.patch(pathOf(kind, id), fields),
    act: (kind, id, action, body) => client.post(`${pathOf(kind, id)}/${action}`, body),
    async read(kind, id) {
      const reply = await client.get(pathOf(kind, id));
      assert.equal(reply.status, 200, reply.text);
      return reply.body[kinds[kind].name];
    },
  };
}
