import assert from 'node:assert/strict';
import type { Grant, Role } from '../../shared/kernel/scope.ts';
import type { TestActor } from './actors.ts';
import type { TestApp } from './app.ts';
import type { Client, Reply } from './client.ts';

/** An organization's attendance, as one of its members uses it. */
export type Workplace = Client & {
  organization_id: string;
  user_id: string;
  /** The member that who calls is. */
  member_id: string;
  actor: TestActor;
  /** Another person with a key, with the role member unless said. */
  colleague(role?: Role, scopes?: Grant[]): Promise<Workplace>;
  /** Adds a person without an account. */
  person(fields?: object): Promise<Reply['body']>;
  department(fields?: object): Promise<Reply['body']>;
  /** Sends a call of which nothing but success is expected, and answers its body. */
  done(method: string, path: string, body?: unknown): Promise<Reply['body']>;
};

/** A member of an organization that records its hours; an owner in a new one unless said. */
export async function newWorkplace(
  app: TestApp,
  options: { organization_id?: string; role?: Role; scopes?: Grant[] } = {},
): Promise<Workplace> {
  const client = await app.actor(options);
  const { organization_id, user_id } = client.actor;
  const [own] = await app.database.withConnection(organization_id, ({ query }) =>
    query<{ id: string }>('SELECT id FROM attendance_members WHERE organization_id = $1 AND user_id = $2', [
      organization_id,
      user_id,
    ]),
  );
  let count = 0;
  const numbered = (name: string) => {
    count += 1;
    return `${name} ${count}`;
  };
  const done = async (method: string, path: string, body?: unknown) => {
    const reply = await client.send(method, `/attendance${path}`, body);
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`);
    return reply.body;
  };
  return {
    ...client,
    organization_id,
    user_id,
    member_id: own!.id,
    colleague: (role = 'member', scopes = ['*']) => newWorkplace(app, { organization_id, role, scopes }),
    person: async (fields = {}) =>
      (await done('POST', '/members', { name: numbered('社員'), ...fields })).member,
    department: async (fields = {}) =>
      (await done('POST', '/org/departments', { name: numbered('部署'), ...fields })).department,
    done,
  };
}

/** A session of a date, by the hours in UTC. */
export function session(
  date: string,
  from: string,
  to: string | null,
  breaks: [string, string | null][] = [],
) {
  const at = (time: string) => `${date}T${time}:00.000Z`;
  return {
    clock_in_at: at(from),
    clock_out_at: to === null ? null : at(to),
    breaks: breaks.map(([start, end]) => ({ start_at: at(start), end_at: end === null ? null : at(end) })),
  };
}
