import assert from 'node:assert/strict';
import type { Client } from './client.ts';

type Call = { path: string; body?: unknown };

/** An event type of half an hour that the caller hosts. */
async function eventType(client: Client): Promise<{ id: string; members: unknown[] }> {
  const made = await client.post('/scheduler/event-types', { title: '面談', duration_minutes: 30 });
  assert.equal(made.status, 201, made.text);
  return made.body.event_type;
}

/** A start in so many days from today, at noon in UTC. */
function noonIn(days: number): string {
  const date = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  return `${date}T12:00:00.000Z`;
}

/** What a proposal of an event type is made from that the caller hosts. */
export async function proposalInput(client: Client): Promise<Record<string, unknown>> {
  const { id } = await eventType(client);
  const guest = { name: '佐藤 花子', email: 'hanako.sato@example.co.jp' };
  return { event_type_id: id, candidates: [{ start: noonIn(2) }, { start: noonIn(3) }], guest, hold: 'none' };
}

/** An open proposal: its ID, and the path of the calls of its guest. */
async function proposal(client: Client): Promise<{ id: string; path: string }> {
  const { status, body, text } = await client.post('/scheduler/proposals', await proposalInput(client));
  assert.equal(status, 201, text);
  return { id: body.proposal.id, path: `/scheduler${new URL(body.guest_url).pathname}` };
}

/** A call that succeeds, for every POST of the scheduler. */
export const schedulerCalls: Record<string, (client: Client) => Promise<Call>> = {
  'scheduler.event_types.create': async () => ({
    path: '/scheduler/event-types',
    body: { title: '面談', duration_minutes: 30 },
  }),
  'scheduler.event_types.members': async (client) => {
    const { id, members } = await eventType(client);
    return { path: `/scheduler/event-types/${id}/members`, body: { members, assignment: 'collective' } };
  },
  'scheduler.proposals.create': async (client) => ({
    path: '/scheduler/proposals',
    body: await proposalInput(client),
  }),
  'scheduler.proposals.withdraw': async (client) => ({
    path: `/scheduler/proposals/${(await proposal(client)).id}/withdraw`,
  }),
  'scheduler.guest_proposals.decline': async (client) => ({
    path: `${(await proposal(client)).path}/decline`,
    body: { reason: '出張のため' },
  }),
  'scheduler.calendar_events.create': async () => ({
    path: '/scheduler/calendar-events',
    body: { start: '2026-12-01T09:00:00+09:00', end: '2026-12-01T12:00:00+09:00' },
  }),
  'scheduler.availability.create': async () => ({ path: '/scheduler/availability', body: { name: '平日' } }),
};
