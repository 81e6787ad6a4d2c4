import { notFound } from '../../shared/kernel/failure.ts';
import { addressBucket } from '../../shared/kernel/networks.ts';
import { isStorable } from '../../shared/kernel/schema.ts';
import type { ApiContext } from '../context.ts';
import { accessOf } from './access.ts';
import { callerOf } from './caller.ts';
import type { Endpoint } from './endpoint.ts';
import { limitHeaders, type Quota } from './limits.ts';
import type { Request } from './request.ts';
import { organizationOf } from './run-endpoint.ts';

/** What a page of another site may send along. */
const HEADERS = 'Content-Type, Accept-Language, Idempotency-Key';

/** Seconds for which a browser may keep the answer to its question. */
const KEPT_FOR = 600;

/** Preflights of an address: none of a page that embeds a form comes near, since browsers keep the answer. */
const PREFLIGHTS: Quota = { name: 'preflight', limit: 600, window_seconds: 60 };

/**
 * Lets a script of another site read the answer, where the endpoint lets that site. Credentials are never let through. Whoever
 * is in the request's state by then is the caller. Answers whether the site may.
 */
export async function allowOrigin(
  context: ApiContext,
  endpoint: Endpoint,
  request: Request,
): Promise<boolean> {
  if (!endpoint.allows_origins) return false;
  request.vary('Origin');
  const { origin } = request.headers;
  if (origin === undefined || !isStorable(origin)) return false;
  const caller = callerOf(context, request, accessOf(endpoint), null);
  const params = request.params as Record<string, string>;
  const allowed = await context.database.withConnection(organizationOf(caller), (connection) =>
    endpoint.allows_origins!(params, { ...caller, connection }),
  );
  if (!allowed.includes(origin)) return false;
  request.set('Access-Control-Allow-Origin', origin);
  return true;
}

/**
 * Answers a browser that asks whether a script of another site may make the call (the preflight of CORS). Each asks the
 * database, so they have a bound of their own, also where the call itself has none. Errors: `not_found`; `rate_limited`.
 */
export async function answerPreflight(
  context: ApiContext,
  endpoint: Endpoint,
  request: Request,
): Promise<void> {
  request.state.endpoint = endpoint;
  limitPreflights(context, request);
  await accessOf(endpoint).find(context, request);
  const params = Object.values(request.params as Record<string, string>);
  if (!params.every(isStorable)) throw notFound();
  const allowed = await allowOrigin(context, endpoint, request);
  request.status = 204;
  request.set('Allow', `${endpoint.method.toUpperCase()}, OPTIONS`);
  if (!allowed) return;
  request.set({
    'Access-Control-Allow-Methods': endpoint.method.toUpperCase(),
    'Access-Control-Allow-Headers': HEADERS,
    'Access-Control-Max-Age': String(KEPT_FOR),
  });
}

function limitPreflights({ settings, limits, now }: ApiContext, request: Request): void {
  if (settings.rateLimitPerMinute === 0) return;
  const charge = { bucket: addressBucket(request.ip), quota: PREFLIGHTS };
  request.set(limitHeaders(limits.takeAll([charge], now())));
}
