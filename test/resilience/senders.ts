import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../shared/db/database.ts';

/** A contact that somebody wants made: the key under which it is sent until it is answered, and that answer. */
export type Wanted = {
  key: string;
  first_name: string;
  /** The contact's ID, once acknowledged. */
  id: string | null;
  /** Every answer on the way: a status, `cut` where the connection broke, `refused` where nobody listened. */
  answers: (number | 'cut' | 'refused')[];
};

export type Refusal = { status: number; code: string; retry_after: string | null; at: number };

export type Senders = {
  wanted: Wanted[];
  /** What was answered instead of an acknowledgement. */
  refusals: Refusal[];
  /** When each acknowledgement came, by performance.now(). */
  acknowledged_at: number[];
  /** Resolves when everything is acknowledged; fails when that takes longer than five minutes. */
  done: Promise<void>;
};

/** Makes `count` contacts, so many at a time, and sends each one again until it is acknowledged. */
export function sendContacts(
  base_url: string,
  secret: string,
  { count, parallel, gap = 0 }: { count: number; parallel: number; gap?: number },
): Senders {
  const wanted = Array.from({ length: count }, (_, n): Wanted => {
    return { key: randomUUID(), first_name: `${n}`, id: null, answers: [] };
  });
  const senders: Senders = { wanted, refusals: [], acknowledged_at: [], done: Promise.resolve() };
  const end = Date.now() + 300_000;
  let next = 0;
  async function sender(): Promise<void> {
    for (let one = wanted[next++]; one; one = wanted[next++]) {
      while (one.id === null) {
        assert(Date.now() < end, `${one.key} was answered ${one.answers.join(', ')}`);
        await sendOnce(base_url, secret, one, senders);
        if (one.id === null) await pause(50);
      }
      if (gap > 0) await pause(gap);
    }
  }
  senders.done = Promise.all(Array.from({ length: parallel }, sender)).then(() => {});
  return senders;
}

async function sendOnce(base_url: string, secret: string, one: Wanted, senders: Senders): Promise<void> {
  try {
    const response = await fetch(`${base_url}/api/v1/crm/contacts`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${secret}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': one.key,
      },
      body: JSON.stringify({ first_name: one.first_name, last_name: 'A' }),
    });
    const body = (await response.json()) as { contact?: { id: string }; code?: string };
    one.answers.push(response.status);
    if (body.contact) {
      one.id = body.contact.id;
      senders.acknowledged_at.push(performance.now());
      return;
    }
    senders.refusals.push({
      status: response.status,
      code: String(body.code),
      retry_after: response.headers.get('retry-after'),
      at: performance.now(),
    });
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    one.answers.push(cause?.code === 'ECONNREFUSED' ? 'refused' : 'cut');
  }
}

/** Sees that each contact is there once, with one event and one audit entry, and nothing beside. */
export async function assertExactlyOnce(
  database: Database,
  organization_id: string,
  wanted: readonly Wanted[],
): Promise<void> {
  const tables = {
    crm_contacts: 'SELECT id FROM crm_contacts WHERE organization_id = $1',
    events: `SELECT data->>'id' AS id FROM events WHERE organization_id = $1`,
    audit_logs: `SELECT entity_id AS id FROM audit_logs WHERE organization_id = $1 AND entity_type = 'contact'`,
  };
  const acknowledged = wanted.map(({ id }) => id).sort();
  for (const [table, text] of Object.entries(tables)) {
    const rows = await database.withConnection(organization_id, ({ query }) =>
      query<{ id: string }>(text, [organization_id]),
    );
    assert.deepEqual(rows.map(({ id }) => id).sort(), acknowledged, table);
  }
}

/** Requests beyond the first of each contact that arrived somewhere. */
export function resent(wanted: readonly Wanted[]): number {
  const arrived = wanted.map(({ answers }) => answers.filter((answer) => answer !== 'refused').length);
  return arrived.reduce((sum, count) => sum + count - 1, 0);
}
