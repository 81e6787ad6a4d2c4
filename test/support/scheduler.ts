import assert from 'node:assert/strict';
import type { Role } from '../../shared/kernel/scope.ts';
import type { TestApp } from './app.ts';
import type { Client, Reply } from './client.ts';

/** The scheduler of an organization, as one of its members uses it. */
export type Desk = Client & {
  organization_id: string;
  user_id: string;
  /** Another member with a key, with the role member unless said. */
  colleague(role?: Role): Promise<Desk>;
  /** Sends a call of which nothing but success is expected, and answers its body. */
  done(method: string, path: string, body?: unknown): Promise<Reply['body']>;
  /** An event type of half an hour, hosted by who makes it unless said. */
  eventType(fields?: object): Promise<Reply['body']>;
  /** Availability of who makes it, every day from 9 to 18 unless said. */
  availability(fields?: object): Promise<Reply['body']>;
};

/** A member with a key of an organization that is booked; an owner in a new one unless said. */
export async function newDesk(
  app: TestApp,
  options: { organization_id?: string; role?: Role } = {},
): Promise<Desk> {
  const client = await app.actor(options);
  return deskOf(app, client, client.actor);
}

/** The scheduler as somebody uses it who is a member already. */
export function deskOf(
  app: TestApp,
  client: Client,
  { organization_id, user_id }: { organization_id: string; user_id: string },
): Desk {
  const done = async (method: string, path: string, body?: unknown) => {
    const reply = await client.send(method, `/scheduler${path}`, body);
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`);
    return reply.body;
  };
  const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
  return {
    ...client,
    organization_id,
    user_id,
    colleague: (role = 'member') => newDesk(app, { organization_id, role }),
    done,
    eventType: async (fields = {}) =>
      (await done('POST', '/event-types', { title: '面談', duration_minutes: 30, ...fields })).event_type,
    availability: async (fields = {}) => {
      const weekly = [{ days, start: '09:00', end: '18:00' }];
      return (await done('POST', '/availability', { name: '毎日', weekly, ...fields })).availability;
    },
  };
}

/** Writes a row of the organization past the operations. */
export async function storeRow(
  app: TestApp,
  { organization_id }: Pick<Desk, 'organization_id'>,
  table: string,
  row: Record<string, unknown>,
): Promise<void> {
  const names = Object.keys(row);
  const columns = ['organization_id', ...names].map((name) => `"${name}"`).join(', ');
  const places = names.map((_, place) => `$${place + 2}`).join(', ');
  await app.database.withConnection(organization_id, ({ query }) =>
    query(
      `INSERT INTO ${table} (${columns}) VALUES ($1, ${places})`,
      [organization_id, ...Object.values(row)],
      {
        prepared: false,
      },
    ),
  );
}
