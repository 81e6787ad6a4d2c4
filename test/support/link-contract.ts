import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { Endpoint } from '../../api/http/endpoint.ts';
import { sendsBrowsersToPage } from '../../api/http/link-access.ts';
import { inWork } from '../../shared/db/in-work.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { endLinks, newLink } from '../../shared/platform/links/links.ts';
import { type LinkPurpose, pageOf } from '../../shared/platform/links/purpose.ts';
import { tokenFrom } from '../../shared/platform/links/token.ts';
import { startApp, type TestApp } from './app.ts';

const NOW = new Date('2026-11-21T00:00:00.000Z');

/** What every endpoint promises whose callers are guests with a link. `bodyOf` answers the documented example. */
export function contractOfLinks(app: TestApp, endpoint: Endpoint, bodyOf: () => unknown): void {
  const purpose = endpoint.link!;
  const { refusals } = purpose;
  const call = (token: string, query = '', headers: Record<string, string> = {}) =>
    app.anonymous.send(endpoint.method, `${pathWith(endpoint, token)}${query}`, bodyOf(), headers);

  test('refuses unknown, malformed, foreign, revoked and expired tokens as the purpose says', async () => {
    const foreign = await linkOf(app, { ...purpose, name: 'another_purpose' });
    for (const token of [tokenFrom(randomBytes(32)), 'A'.repeat(43), "x'--", foreign]) {
      assert.equal((await call(token)).body.code, refusals.unknown, token);
    }
    const expired = await linkOf(app, { ...purpose, lifetime: -1 });
    assert.equal((await call(expired)).body.code, refusals.expired);
    const revoked = await linkOf(app, purpose, 'record_revoked');
    await workIn(app, 'org_a', (work) => endLinks(work, purpose, recordOf('record_revoked')));
    assert.equal((await call(revoked)).body.code, refusals.revoked);
  });

  contractOfBrowsers(app, endpoint, bodyOf);

  test('429: ended links are limited, each by itself and all of an address together', async () => {
    const environment = { RATE_LIMIT_PER_MINUTE: '20' };
    const strict = await startApp({ endpoints: [endpoint], now: () => NOW, environment });
    const send = (token: string) =>
      strict.anonymous.send(endpoint.method, pathWith(endpoint, token), bodyOf());
    const ofGuest = endpoint.method === 'get' ? (['link_read', 10] as const) : (['link_write', 2] as const);
    const [kind, limit] = purpose.is_program ? ([purpose.name, 20] as const) : ofGuest;

    const revoked = await linkOf(strict, purpose, 'record_revoked');
    await workIn(strict, 'org_a', (work) => endLinks(work, purpose, recordOf('record_revoked')));
    for (let sent = 0; sent < limit; sent++) {
      assert.equal((await send(revoked)).body.code, refusals.revoked);
    }
    if (purpose.requests_of_address === undefined) {
      const over = await send(revoked);
      assert.equal(over.status, 429, over.text);
      assert.match(over.headers.get('ratelimit-policy') ?? '', new RegExp(`"${kind}";q=${limit};w=60`));
    }

    const sendExpired = async (number: number) =>
      send(await linkOf(strict, { ...purpose, lifetime: -1 }, `record_expired_${number}`));
    for (let failed = limit; failed < 60; failed++) {
      assert.equal((await sendExpired(failed)).body.code, refusals.expired);
    }
    const beyond = await sendExpired(60);
    assert.equal(beyond.status, 429, beyond.text);
    assert.match(beyond.headers.get('ratelimit') ?? '', /"failed_tokens";r=0/);
    assert.notEqual((await send(await linkOf(strict, purpose))).status, 429);
  });

  test('needs no credentials and no origin, sets no cookie, and may be kept by nobody', async () => {
    const token = await linkOf(app, purpose);
    const foreign = { Origin: 'https://elsewhere.example', Cookie: 'service.session_token=x.y' };
    for (const headers of [undefined, foreign]) {
      const reply = await call(token, '?no_such_parameter=1', headers);
      // A call that asks for the state first knows no such record, and looks at the form of no request about it.
      assert.equal(reply.status, endpoint.admits ? 404 : 422, reply.text);
      assert.deepEqual(reply.headers.getSetCookie(), []);
      assert.equal(reply.headers.get('cache-control'), 'no-store');
      assert.equal(reply.headers.get('referrer-policy'), 'no-referrer');
    }
  });
}

/** The Accept header of a browser that opens a page. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** Whom an endpoint for guests sends to the page of the link. */
function contractOfBrowsers(app: TestApp, endpoint: Endpoint, bodyOf: () => unknown): void {
  const isSent = sendsBrowsersToPage(endpoint);

  test(`${isSent ? 'sends' : 'does not send'} a browser that prefers HTML to the page`, async () => {
    const token = await linkOf(app, endpoint.link!);
    const ask = (Accept: string) =>
      app.anonymous.send(endpoint.method, pathWith(endpoint, token), bodyOf(), { Accept });
    const reply = await ask(BROWSER);
    assert.equal(reply.status === 302, isSent, reply.text);
    if (isSent) assert.equal(reply.headers.get('location'), pageOf(endpoint.link!, token));
    for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5']) {
      const json = await ask(accept);
      assert.notEqual(json.status, 302, accept);
      if (isSent) assert.match(json.headers.get('vary') ?? '', /\bAccept\b/);
    }
    if (isSent) assert.match(reply.headers.get('vary') ?? '', /\bAccept\b/);
  });
}

/** The path of an endpoint with that token. */
export function pathWith({ path }: Pick<Endpoint, 'path'>, token: string): string {
  return path.replace('/api/v1', '').replace(':token', encodeURIComponent(token));
}

function recordOf(record_id: string) {
  return { organization_id: 'org_a', record_id };
}

/** The token of a link of that purpose, to a record that does not exist. */
export async function linkOf(app: TestApp, purpose: LinkPurpose, record_id = 'record_1'): Promise<string> {
  const newToken = () => tokenFrom(randomBytes(32));
  const url = await app.database.withConnection('*', (connection) => {
    const making = { connection, now: app.context.now(), base_url: '', newToken };
    return newLink(making, purpose, recordOf(record_id));
  });
  return url.replace(/\/$/, '').split('/').at(-1)!;
}

/** Runs one write in an organization, as the service itself does without a request. */
function workIn(app: TestApp, organization_id: string, write: (work: Work) => void): Promise<void> {
  return app.database.withConnection(organization_id, (connection) =>
    inWork(
      {
        connection,
        organization_id,
        actor: systemActor,
        now: app.context.now(),
        request_id: null,
        ip_address: null,
      },
      async (work) => {
        work.nothingChanged();
        write(work);
      },
    ),
  );
}
