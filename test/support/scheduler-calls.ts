import assert from 'node:assert/strict';
import type { Client, Reply } from './client.ts';

type Call = { path: string; body?: unknown };

/** An event type of half an hour that the caller hosts. */
async function eventType(client: Client): Promise<{ id: string; members: unknown[] }> {
  const made = await client.post('/scheduler/event-types', { title: '面談', duration_minutes: 30 });
  assert.equal(made.status, 201, made.text);
  return made.body.event_type;
}

/** An event type that the caller hosts at any time. */
async function bookable(client: Client, fields: object = {}): Promise<{ id: string; slug: string }> {
  const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
  const weekly = [{ days, start: '00:00', end: '24:00' }];
  const hours = await client.post('/scheduler/availability', { name: '毎日', weekly, is_default: true });
  assert.equal(hours.status, 201, hours.text);
  const made = await client.post('/scheduler/event-types', {
    title: '面談',
    duration_minutes: 30,
    ...fields,
  });
  assert.equal(made.status, 201, made.text);
  return made.body.event_type;
}

/** The hour that begins some days from now. */
function inDays(days: number): string {
  const hour = 3_600_000;
  return new Date(Math.ceil(Date.now() / hour) * hour + days * 24 * hour).toISOString();
}

const guest = { name: '佐藤 花子', email: 'hanako@example.com' };

let starts = 0;

/** What staff book, each on another day, of an event type that the caller hosts. */
export async function bookingInput(client: Client, type: object = {}): Promise<Record<string, unknown>> {
  return { event_type_id: (await bookable(client, type)).id, start: inDays(3 + (starts++ % 50)), guest };
}

/** A booking of staff. */
async function booked(client: Client, fields: object = {}, type: object = {}): Promise<Reply['body']> {
  const body = { ...(await bookingInput(client, type)), ...fields };
  const reply = await client.post('/scheduler/bookings', body);
  assert.equal(reply.status, 201, reply.text);
  return reply.body.booking;
}

/** What a guest books on the page of a type, as the page's path and the answer. */
async function bookedByGuest(client: Client, type: object = {}) {
  const { slug } = await bookable(client, type);
  const organization = (await client.get('/organization')).body.organization;
  const path = `/scheduler/p/${organization.slug}/${slug}/book`;
  const body = { start: inDays(3), guest };
  return { path, body, book: async () => (await client.post(path, body)).body };
}

const waiting = { confirmation: { mode: 'manual' } };

/** A start the day after tomorrow at an hour in UTC: before every booking of these calls, whatever time it is now. */
function inTwoDays(hour: number): string {
  const date = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  return `${date}T${hour}:00:00.000Z`;
}

/** What a proposal of an event type is made from that the caller hosts. */
export async function proposalInput(client: Client): Promise<Record<string, unknown>> {
  const { id } = await eventType(client);
  const guest = { name: '佐藤 花子', email: 'hanako.sato@example.co.jp' };
  return {
    event_type_id: id,
    candidates: [{ start: inTwoDays(12) }, { start: inTwoDays(15) }],
    guest,
    hold: 'none',
  };
}

/** An open proposal: its ID, and the path of the calls of its guest. */
async function proposal(client: Client): Promise<{ id: string; path: string }> {
  const { status, body, text } = await client.post('/scheduler/proposals', await proposalInput(client));
  assert.equal(status, 201, text);
  return { id: body.proposal.id, path: `/scheduler${new URL(body.guest_url).pathname}` };
}

/** A call that succeeds, for every POST of the scheduler. */
export const schedulerCalls: Record<string, (client: Client) => Promise<Call>> = {
  'scheduler.feeds.create': async () => ({ path: '/scheduler/feeds', body: {} }),
  'scheduler.event_types.create': async () => ({
    path: '/scheduler/event-types',
    body: { title: '面談', duration_minutes: 30 },
  }),
  'scheduler.event_types.members': async (client) => {
    const { id, members } = await eventType(client);
    return { path: `/scheduler/event-types/${id}/members`, body: { members, assignment: 'collective' } };
  },
  'scheduler.bookings.create': async (client) => ({
    path: '/scheduler/bookings',
    body: await bookingInput(client),
  }),
  'scheduler.bookings.confirm': async (client) => {
    const { booking } = await (await bookedByGuest(client, waiting)).book();
    return { path: `/scheduler/bookings/${booking.id}/confirm` };
  },
  'scheduler.bookings.decline': async (client) => {
    const { booking } = await (await bookedByGuest(client, waiting)).book();
    return { path: `/scheduler/bookings/${booking.id}/decline`, body: { reason: '満席です' } };
  },
  'scheduler.bookings.cancel': async (client) => ({
    path: `/scheduler/bookings/${(await booked(client)).id}/cancel`,
    body: {},
  }),
  'scheduler.bookings.reschedule': async (client) => ({
    path: `/scheduler/bookings/${(await booked(client)).id}/reschedule`,
    body: { start: inDays(4) },
  }),
  'scheduler.bookings.no_show': async (client) => ({
    path: `/scheduler/bookings/${(await booked(client, { start: inDays(-1), force: true })).id}/no-show`,
    body: { no_show: true },
  }),
  'scheduler.sessions.cancel': async (client) => ({
    path: `/scheduler/sessions/${(await booked(client, {}, { seats_per_slot: 3 })).session_id}/cancel`,
    body: {},
  }),
  'scheduler.guest_bookings.create': async (client) => {
    const { path, body } = await bookedByGuest(client);
    return { path, body };
  },
  'scheduler.holds.create': async (client) => {
    const { path, body } = await bookedByGuest(client);
    return { path: path.replace(/book$/, 'hold'), body: { start: body.start } };
  },
  'scheduler.guest_bookings.cancel': async (client) => {
    const { token } = await (await bookedByGuest(client)).book();
    return { path: `/scheduler/b/${token}/cancel`, body: {} };
  },
  'scheduler.guest_bookings.reschedule': async (client) => {
    const { token } = await (await bookedByGuest(client)).book();
    return { path: `/scheduler/b/${token}/reschedule`, body: { start: inDays(4) } };
  },
  'scheduler.proposals.create': async (client) => ({
    path: '/scheduler/proposals',
    body: await proposalInput(client),
  }),
  'scheduler.proposals.withdraw': async (client) => ({
    path: `/scheduler/proposals/${(await proposal(client)).id}/withdraw`,
  }),
  'scheduler.guest_proposals.accept': async (client) => ({
    path: `${(await proposal(client)).path}/accept`,
    body: { start: inTwoDays(12) },
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
