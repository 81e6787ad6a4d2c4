import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

/** Somebody in the workspace, as users.info answers them. */
export type SlackUser = { id: string; email?: string; deleted?: boolean; is_bot?: boolean };

/** A call as it arrived: the method of the Web API, and its arguments. */
export type SlackCall = { method: string; arguments: Record<string, string>; token: string };

/** What a test has a call answered with in the place of what the workspace says; undefined: that. */
type Verdict = { status?: number; headers?: Record<string, string>; body?: object } | 'silence' | undefined;

export type SlackFake = {
  /** For SLACK_URL. */
  url: string;
  team: string;
  token: string;
  users: SlackUser[];
  calls: SlackCall[];
  /** Messages that were accepted, in their order. */
  messages: { user: string; text: string }[];
  /** What becomes of a call; also told of calls that are never answered. */
  verdict: (call: SlackCall) => Verdict;
};

const NEEDS_JSON = new Set(['conversations.open', 'chat.postMessage', 'auth.test']);

/**
 * The methods of Slack's Web API that invitations use, as its reference has them: users.lookupByEmail, users.info,
 * conversations.open, chat.postMessage, auth.test. Errors are 200 with `ok: false`, but for 429 with Retry-After. It ends
 * with the test file.
 */
export async function slackFake(): Promise<SlackFake> {
  const fake: SlackFake = {
    url: '',
    team: 'Aoba Coffee',
    token: 'xoxb-of-the-tests',
    users: [],
    calls: [],
    messages: [],
    verdict: () => undefined,
  };
  const server = createServer((request, answer) => void respond(fake, request, answer));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return fake;
}

async function respond(fake: SlackFake, request: IncomingMessage, answer: ServerResponse): Promise<void> {
  let body = '';
  for await (const part of request) body += part;
  const url = new URL(request.url!, 'http://fake');
  const method = url.pathname.replace(/^\/api\//, '');
  const isJson = NEEDS_JSON.has(method) && request.method === 'POST';
  const call: SlackCall = {
    method,
    arguments: isJson ? JSON.parse(body) : Object.fromEntries(url.searchParams),
    token: (request.headers.authorization ?? '').replace('Bearer ', ''),
  };
  fake.calls.push(call);
  const verdict = fake.verdict(call);
  if (verdict === 'silence') return;
  const { status = 200, headers = {}, body: said = answerOf(fake, call) } = verdict ?? {};
  answer.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...headers });
  answer.end(JSON.stringify(said));
}

function answerOf(fake: SlackFake, { method, arguments: given, token }: SlackCall): object {
  if (token === '') return { ok: false, error: 'not_authed' };
  if (token !== fake.token) return { ok: false, error: 'invalid_auth' };
  const by = given['email'] === undefined ? 'id' : 'email';
  const found = fake.users.find((user) => user[by] === (given['email'] ?? given['user']));
  switch (method) {
    case 'auth.test':
      return { ok: true, team: fake.team, team_id: 'T0001', user: 'service', bot_id: 'B0001' };
    case 'users.lookupByEmail':
      return found && !found.deleted
        ? { ok: true, user: shown(found) }
        : { ok: false, error: 'users_not_found' };
    case 'users.info':
      return found ? { ok: true, user: shown(found) } : { ok: false, error: 'user_not_found' };
    case 'conversations.open': {
      const user = fake.users.find(({ id }) => id === given['users']);
      return user ? { ok: true, channel: { id: `D${user.id}` } } : { ok: false, error: 'user_not_found' };
    }
    case 'chat.postMessage': {
      const user = fake.users.find(({ id }) => `D${id}` === given['channel']);
      if (!user) return { ok: false, error: 'channel_not_found' };
      fake.messages.push({ user: user.id, text: given['text']! });
      return { ok: true, channel: given['channel'], ts: `1700000000.00000${fake.messages.length}` };
    }
    default:
      return { ok: false, error: 'unknown_method' };
  }
}

function shown({ id, email, deleted = false, is_bot = false }: SlackUser): object {
  return { id, deleted, is_bot, profile: email === undefined ? {} : { email } };
}
