import assert from 'node:assert/strict';
import type { Client } from './client.ts';

type Call = { path: string; body?: unknown };

/** An event type of half an hour that the caller hosts. */
async function eventType(client: Client): Promise<{ id: string; members: unknown[] }> {
  const made = await client.post('/scheduler/event-types', { title: '面談', duration_minutes: 30 });
  assert.equal(made.status, 201, made.text);
  return made.body.event_type;
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
  'scheduler.availability.create': async () => ({ path: '/scheduler/availability', body: { name: '平日' } }),
};
