import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { Events, type MutableResponse, type MutableToken, OAuth2Server } from 'oauth2-mock-server';
import { type GoogleCalendars, googleCalendars } from './google-calendars.ts';

/** A call of the calendar API as it arrived. */
export type GoogleCall = {
  method: string;
  path: string;
  query: Record<string, string>;
  body: Record<string, unknown>;
};

/** What a test has a call answered with in the place of what the calendars say; undefined: that. */
export type GoogleVerdict =
  | { status: number; headers?: Record<string, string>; body?: object }
  | 'silence'
  | undefined;

export type GoogleFake = {
  /** For GOOGLE_URL, GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET. */
  environment: { GOOGLE_URL: string; GOOGLE_CLIENT_ID: string; GOOGLE_CLIENT_SECRET: string };
  calendars: GoogleCalendars;
  calls: GoogleCall[];
  /** The grants that tokens were asked for by, in their order. */
  grants: string[];
  /** Tokens that were revoked. */
  revoked: string[];
  /** Who consents, and to what; all that is asked for unless said. */
  account: { sub: string; email: string; scope: string | null };
  /** Whether every access token so far is refused from now on. */
  refuseTokens: () => void;
  /** What the next answers of the token endpoint are instead. */
  token_verdict: (grant_type: string) => { status: number; body: Record<string, unknown> } | undefined;
  /** What becomes of a call once it was done, if it is not refused: also told of calls that are never answered. */
  verdict: (call: GoogleCall) => GoogleVerdict;
  /** Follows the address of a consent as a browser does: answers where it leads back to, below the root. */
  consent: (authorization_url: string) => Promise<string>;
};

const CLIENT = { GOOGLE_CLIENT_ID: 'client-of-the-tests', GOOGLE_CLIENT_SECRET: 'secret-of-the-tests' };

const OF_TOKENS = ['/o/oauth2/', '/token', '/revoke'];

/**
 * Google as its documentation says: sign-in and tokens by `oauth2-mock-server`, with the calendars of one account. It ends
 * with the test file.
 */
export async function googleFake(): Promise<GoogleFake> {
  const tokens = new OAuth2Server(undefined, undefined, {
    endpoints: { authorize: '/o/oauth2/v2/auth', token: '/token', revoke: '/revoke' },
  });
  await tokens.issuer.keys.generate('RS256');
  const living = new Set<string>();
  const fake: GoogleFake = {
    environment: { GOOGLE_URL: '', ...CLIENT },
    calendars: googleCalendars(),
    calls: [],
    grants: [],
    revoked: [],
    account: { sub: '1001', email: 'hanako@gmail.example', scope: null },
    refuseTokens: () => living.clear(),
    token_verdict: () => undefined,
    verdict: () => undefined,
    consent: async (authorization_url) => {
      const answer = await fetch(authorization_url, { redirect: 'manual' });
      const back = new URL(answer.headers.get('location') ?? '');
      return `${back.pathname}${back.search}`;
    },
  };
  let serial = 0;
  let asked_scope = '';
  tokens.service.on(Events.BeforeAuthorizeRedirect, (_: unknown, request: IncomingMessage) => {
    asked_scope = new URL(request.url!, 'http://fake').searchParams.get('scope') ?? '';
  });
  tokens.service.on(Events.BeforeTokenSigning, ({ payload }: MutableToken) => {
    serial += 1;
    Object.assign(payload, { jti: `${serial}`, sub: fake.account.sub, email: fake.account.email });
  });
  tokens.service.on(
    Events.BeforeResponse,
    (answer: MutableResponse, { body }: { body: { grant_type: string } }) => {
      fake.grants.push(body.grant_type);
      const verdict = fake.token_verdict(body.grant_type);
      if (verdict) return Object.assign(answer, { statusCode: verdict.status, body: verdict.body });
      const said = answer.body as Record<string, unknown>;
      said['scope'] = fake.account.scope ?? asked_scope;
      living.add(said['access_token'] as string);
      return answer;
    },
  );
  const server = createServer((request, answer) => {
    if (OF_TOKENS.some((path) => request.url!.startsWith(path))) {
      if (request.url === '/revoke') void noteRevoked(fake, request);
      return tokens.service.requestHandler(request, answer);
    }
    return void respond(fake, living, request, answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  fake.environment.GOOGLE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  tokens.issuer.url = fake.environment.GOOGLE_URL;
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return fake;
}

async function noteRevoked(fake: GoogleFake, request: IncomingMessage): Promise<void> {
  let body = '';
  for await (const part of request) body += part;
  fake.revoked.push(new URLSearchParams(body).get('token') ?? '');
}

async function respond(
  fake: GoogleFake,
  living: ReadonlySet<string>,
  request: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  let body = '';
  for await (const part of request) body += part;
  const url = new URL(request.url!, 'http://fake');
  const call: GoogleCall = {
    method: request.method!,
    path: decodeURIComponent(url.pathname.replace('/calendar/v3', '')),
    query: Object.fromEntries(url.searchParams),
    body: body === '' ? {} : JSON.parse(body),
  };
  fake.calls.push(call);
  const isKnown = living.has((request.headers.authorization ?? '').replace('Bearer ', ''));
  const verdict = fake.verdict(call);
  const isRefusal = typeof verdict === 'object' && verdict.status >= 400;
  const said = isRefusal
    ? verdict
    : isKnown
      ? fake.calendars.answer(call)
      : { status: 401, body: { error: { code: 401, errors: [{ reason: 'authError' }] } } };
  if (verdict === 'silence') return;
  const { status, headers = {} } = said;
  answer.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...headers });
  answer.end(status === 204 ? undefined : JSON.stringify(said.body ?? {}));
}
