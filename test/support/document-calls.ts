import assert from 'node:assert/strict';
import { kinds, type WrittenKind, writtenKinds } from '../../shared/invoicing/documents/kinds.ts';
import type { Sales } from './deals.ts';

type Call = { path: string; body?: unknown };

const LINES = [{ description: 'コーヒー豆', unit_price: '1000', quantity: '10' }];
const REASON = { reason: '誤り' };

/** What must have been done to a document before an action, and what that is sent with; the rest work on drafts. */
const actions: Record<WrittenKind, Record<string, { after?: readonly string[]; body?: unknown }>> = {
  quotation: {
    send: {},
    accept: { after: ['send'] },
    reject: { after: ['send'], body: REASON },
    convert: { after: ['send', 'accept'] },
    send_email: { body: { to: ['hanako.yamada@example.co.jp'] } },
  },
  invoice: {
    approve: {},
    send: { after: ['approve'] },
    cancel: { after: ['approve'], body: REASON },
    revise: { after: ['approve'] },
    mark_paid: { after: ['approve'], body: { amount: 100 } },
    'payments.create': { after: ['approve'], body: { amount: 100 } },
    'credit_notes.create': {
      after: ['approve'],
      body: { ...REASON, line_items: [{ description: '値引き', unit_price: '10' }] },
    },
    send_email: { after: ['approve'], body: { to: ['hanako.yamada@example.co.jp'] } },
  },
  delivery_note: {
    deliver: {},
    convert: { after: ['deliver'] },
    send_email: { after: ['deliver'], body: { to: ['hanako.yamada@example.co.jp'] } },
  },
  purchase_order: {
    send: {},
    accept: { after: ['send'] },
    convert: { after: ['send', 'accept'] },
    send_email: { body: { to: ['hanako.yamada@example.co.jp'] } },
  },
};

/** A draft of a kind, or what the steps made of it. */
async function document(sales: Sales, kind: WrittenKind, steps: readonly string[] = []): Promise<string> {
  const path = `/${kinds[kind].path}`;
  const { id } = await sales.make(path, await bodyFor(sales, kind));
  for (const step of steps) {
    const reply = await sales.post(`${path}/${id}/${step}`);
    assert.equal(reply.status, 200, reply.text);
  }
  return id;
}

async function bodyFor(sales: Sales, kind: WrittenKind) {
  const company = await sales.make('/crm/companies', { name: '株式会社山田商店' });
  const valid = kinds[kind].has_due_date && { due_date: '2099-12-31' };
  return { company_id: company.id, issue_date: '2026-04-01', line_items: LINES, ...valid };
}

function callsOf(kind: WrittenKind): [string, (sales: Sales) => Promise<Call>][] {
  const path = `/${kinds[kind].path}`;
  const name = `invoicing.${kinds[kind].path.replaceAll('-', '_')}`;
  const acting = Object.entries({ duplicate: {}, ...actions[kind] }).map(
    ([action, { after, body }]: [string, { after?: readonly string[]; body?: unknown }]) => {
      const last = action.replace('.create', '').replaceAll('_', '-');
      const call = async (sales: Sales) => ({
        path: `${path}/${await document(sales, kind, after)}/${last}`,
        body,
      });
      return [`${name}.${action}`, call] as [string, (sales: Sales) => Promise<Call>];
    },
  );
  return [
    [`${name}.create`, async (sales) => ({ path, body: await bodyFor(sales, kind) })],
    [`${name}.preview`, async (sales) => ({ path: `${path}/preview`, body: await bodyFor(sales, kind) })],
    [`${name}.batch`, async (sales) => ({ path: `${path}/batch`, body: await batchFor(sales, kind) })],
    [`${name}.files`, async (sales) => ({ path: `${path}/files`, body: await filesFor(sales, kind) })],
    ...acting,
  ];
}

async function batchFor(sales: Sales, kind: WrittenKind) {
  const [action] = Object.keys(actions[kind]);
  return { action, ids: [await document(sales, kind)] };
}

async function filesFor(sales: Sales, kind: WrittenKind) {
  return { ids: [await document(sales, kind)], form: 'zip' };
}

/** A call that succeeds for each write of documents, by the endpoint's ID. */
export const documentCalls: Record<string, (sales: Sales) => Promise<Call>> = {
  ...Object.fromEntries(writtenKinds.flatMap(callsOf)),
  'invoicing.credit_notes.files': async (sales) => {
    const invoice = await document(sales, 'invoice', ['approve']);
    const { id } = await sales.make(`/invoices/${invoice}/credit-notes`, REASON);
    return { path: '/credit-notes/files', body: { ids: [id], form: 'pdf' } };
  },
  'invoicing.credit_notes.send_email': async (sales) => {
    const invoice = await document(sales, 'invoice', ['approve']);
    const { id } = await sales.make(`/invoices/${invoice}/credit-notes`, REASON);
    return { path: `/credit-notes/${id}/send-email`, body: { to: ['hanako.yamada@example.co.jp'] } };
  },
};
