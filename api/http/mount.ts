import type Router from '@koa/router';
import type { Context } from 'koa';
import { bookkeeping } from '../../shared/domains.ts';
import { notFound } from '../../shared/kernel/failure.ts';
import type { ApiContext } from '../context.ts';
import { accessOf } from './access.ts';
import { admitGuest } from './admit-guest.ts';
import { authenticate } from './authenticate.ts';
import { isForm, refuseLargeBody } from './body.ts';
import { callerOf } from './caller.ts';
import { ownCookies } from './cross-site.ts';
import type { Answer } from './declaration.ts';
import { decoded } from './decoded.ts';
import type { Endpoint } from './endpoint.ts';
import { etagOf, isFresh } from './etag.ts';
import { serveFile } from './files/serve.ts';
import { kindOf } from './kinds.ts';
import { languageAskedFor } from './language.ts';
import { pageFor, sendsBrowsersToPage } from './link-access.ts';
import { mailLimitsOf } from './mail-limits.ts';
import { countNotFound, sendOn } from './organization-access.ts';
import { allowOrigin, answerPreflight } from './origins.ts';
import { parseInput } from './parse-input.ts';
import { limitRate } from './rate.ts';
import type { Request } from './request.ts';
import { Routes } from './routes.ts';
import type { Bare } from './run-endpoint.ts';
import { warnedIn } from './warnings.ts';

/** Turns the list of endpoints into routes. The order of the steps is the order in which failures are reported. */
export function mount(context: ApiContext, endpoints: readonly Endpoint[]): Router {
  const router = new Routes();
  requireHeadFirst(endpoints);
  for (const endpoint of endpoints) {
    const answer = (ctx: Context) =>
      answerRequest(context, askedOf(endpoint, ctx), ctx).catch((error: unknown) => {
        throw countNotFound(context, endpoint, ctx as unknown as Request, error);
      });
    router.register(endpoint.path, [endpoint.method], answer, { name: endpoint.id });
    if (!endpoint.allows_origins) continue;
    const ask = (ctx: Context) => answerPreflight(context, endpoint, ctx as unknown as Request);
    router.register(endpoint.path, ['options'], ask, { name: `${endpoint.id}.options` });
  }
  return router;
}

/** The endpoint that a request asks: one that takes a form may have another beside it, which takes JSON. */
function askedOf(endpoint: Endpoint, { req }: Context): Endpoint {
  return endpoint.kind === 'upload' && endpoint.or && !isForm(req) ? endpoint.or : endpoint;
}

/** The router answers HEAD with the GET of a path, so a HEAD of its own must stand before that. */
function requireHeadFirst(endpoints: readonly Endpoint[]): void {
  const read = new Set<string>();
  for (const { id, method, path } of endpoints) {
    if (method === 'get') read.add(path);
    if (method === 'head' && read.has(path)) throw new Error(`${id} must stand before the GET of its path`);
  }
}

async function answerRequest(context: ApiContext, endpoint: Endpoint, ctx: Context): Promise<void> {
  const request = ctx as unknown as Request;
  const { state } = request;
  state.endpoint = endpoint;
  const kind = kindOf(endpoint);
  const access = accessOf(endpoint);
  refuseLargeBody(request, kind.body_limit(endpoint));
  const named = context.versions.named(request.get('Service-Version') || undefined);
  if (access.is_private) request.set('Cache-Control', 'no-store');
  if (sendsBrowsersToPage(endpoint) && sendToPage(context, endpoint, request)) return;
  const credential = await authenticate(context, access, request);
  state.credential = credential;
  state.version = named ?? credential?.api_version ?? context.versions.latest;
  if (!endpoint.is_unlimited) limitRate(context, request, credential);
  await allowOrigin(context, endpoint, request);
  if (sendOn(request)) return;
  access.authorize(credential, endpoint);
  const caller = callerOf(context, request, access, credential);
  await admitGuest(context, endpoint, caller, request);
  const body = await kind.parse?.(context, endpoint, request);
  const input = inputOf(context, endpoint, request, body);
  const ran = await kind.act(context, endpoint, { input, caller, request });
  if ('streams' in ran) return;
  if ('file' in ran) return serveFile(context, request, ran.file);
  if ('bare' in ran) return sendBare(request, ran.bare);
  if (ran.replayed) request.set('Idempotency-Replayed', 'true');
  send(context, endpoint, request, ran.answer);
}

/** Sends a browser to the page of the call, and answers whether it did. The page opens a link and charges it. */
function sendToPage(context: ApiContext, endpoint: Endpoint, request: Request): boolean {
  request.vary('Accept');
  const page = pageFor(endpoint, request);
  if (page === null) return false;
  limitRate(context, request, null);
  request.redirect(page);
  return true;
}

/** Errors: those of `parseInput`; `not_found` for a path that is not percent-encoded UTF-8, which the router leaves as it is. */
function inputOf(context: ApiContext, endpoint: Endpoint, request: Request, body: unknown) {
  if (decoded(request.path) === null) throw notFound();
  const { state } = request;
  const params = request.params as Record<string, string>;
  const query = new URLSearchParams(request.querystring);
  const parsed = parseInput(endpoint, { params, query, body });
  const client = {
    ip_address: request.ip,
    user_agent: request.get('User-Agent') || null,
    session_id: state.credential?.kind === 'session' ? state.credential.id : null,
  };
  const mail_limits = mailLimitsOf(context.settings);
  const { cloudQuotaBytes: cloud_quota_bytes, baseUrl: base_url } = context.settings;
  const { outside, tallies } = context;
  const { settings: seal } = context;
  const has_mail_server = context.settings.smtpUrl !== undefined;
  const given = {
    mail_limits,
    has_mail_server,
    cloud_quota_bytes,
    base_url,
    outside,
    seal,
    bookkeeping,
    tallies,
  };
  const cookies = state.link ? ownCookies(request, base_url) : null;
  const caller = { client, link: state.link ?? null, cookies, language: languageAskedFor(request) };
  return { ...parsed, version: state.version, ...caller, ...given } as never;
}

function sendBare(request: Request, { status, headers }: Bare): void {
  request.status = status;
  // Without one koa makes every empty answer a 204.
  request.body = status === 204 ? null : Buffer.alloc(0);
  request.remove('Content-Type');
  request.set(headers);
}

/** Writes the answer: in the caller's version, with its ETag; 304 for what the caller has already. */
function send(context: ApiContext, endpoint: Endpoint, request: Request, answer: Answer<unknown>): void {
  const { state } = request;
  request.vary('Accept-Language');
  const shown = warnedIn(languageAskedFor(request), answer.body);
  const body = context.versions.downgrade(state.version, endpoint, shown);
  const content = contentOf(body);
  request.status = answer.status;
  request.set(answer.headers);
  const etag = etagOf(answer.body, content);
  request.set('ETag', etag);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead && isFresh(request, etag)) {
    request.status = 304;
    return;
  }
  request.type = answer.status >= 400 ? 'application/problem+json' : 'application/json';
  request.body = content;
}

/** Letters of a text from which it may take more than 128 KiB of the heap, where such objects are not moved and wait for a full collection. */
const LARGE = 65_536;

/** An answer as it is sent. A large text is sent as bytes, beside the heap, and dies young: such lists take a quarter less (docs/performance.md). */
function contentOf(body: unknown): string | Buffer {
  const text = JSON.stringify(body);
  return text.length < LARGE ? text : Buffer.from(text);
}
