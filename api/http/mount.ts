import Router from '@koa/router';
import type { Context } from 'koa';
import { Failure } from '../../shared/kernel/failure.ts';
import { allows } from '../../shared/kernel/scope.ts';
import type { ApiContext } from '../context.ts';
import { type Acted, actRead, actStepwise, actWrite, type Call } from './act.ts';
import { addressBucket } from './address.ts';
import { authenticate, type Credential, notice } from './authenticate.ts';
import { parseJson, readBody, refuseLargeBody } from './body.ts';
import { callerOf } from './caller.ts';
import { etagOf, isFresh } from './conditional.ts';
import { refuseCrossSite } from './cross-site.ts';
import type { Answer, Endpoint } from './endpoint.ts';
import type { Quota } from './limits.ts';
import { parseInput } from './parse.ts';
import { limitRate } from './rate.ts';
import type { Request } from './state.ts';
import { withinTime } from './time-limits.ts';

/** Turns the list of endpoints into routes. The order of the steps is the order in which faults are told. */
export function mount(context: ApiContext, endpoints: readonly Endpoint[]): Router {
  const router = new Router({ strict: true });
  for (const endpoint of endpoints) {
    router.register(endpoint.path, [endpoint.method], (ctx) => answerRequest(context, endpoint, ctx), {
      name: endpoint.id,
    });
  }
  return router;
}

async function answerRequest(context: ApiContext, endpoint: Endpoint, ctx: Context): Promise<void> {
  const request = ctx as unknown as Request;
  const { state } = request;
  state.endpoint = endpoint;
  refuseLargeBody(request);
  const named = context.versions.named(request.get('Service-Version') || undefined);
  const credential = await prove(context, endpoint, request);
  state.credential = credential;
  state.version = named ?? credential?.api_version ?? context.versions.latest;
  limitRate(context, request, credential);
  permit(endpoint, credential);
  const input = await inputOf(context, endpoint, request);
  // What an account does about its organizations is done for none of them: least of all for the active one.
  const organization_id = endpoint.scope === 'account' ? '' : (credential?.organization_id ?? '');
  const caller = callerOf(context, request, credential, organization_id);
  const { answer, replayed } = await withinTime(context.time_limits.handler, (signal) =>
    act(context, endpoint, { input, caller, request, signal }),
  );
  if (replayed) request.set('Idempotency-Replayed', 'true');
  send(context, request, answer);
}

function act(context: ApiContext, endpoint: Endpoint, call: Call): Promise<Acted> {
  if (endpoint.kind === 'read') return actRead(context, endpoint, call);
  if (endpoint.kind === 'write') return actWrite(context, endpoint, call);
  return actStepwise(context, endpoint, call);
}

async function prove(context: ApiContext, endpoint: Endpoint, request: Request): Promise<Credential | null> {
  if (endpoint.scope === 'public') return null;
  request.set('Cache-Control', 'no-store');
  if (endpoint.scope === 'visitor') {
    refuseCrossSite(request, context.settings.baseUrl);
    return notice(context, request);
  }
  context.limits.refuseExhausted(addressBucket(request.ip), FAILED_CREDENTIALS, context.now());
  try {
    const credential = await authenticate(context, request);
    if (credential.kind === 'session') refuseCrossSite(request, context.settings.baseUrl);
    return credential;
  } catch (error) {
    if (error instanceof Failure && error.code === 'invalid_credentials') {
      context.limits.take(addressBucket(request.ip), FAILED_CREDENTIALS, context.now());
    }
    throw error;
  }
}

const FAILED_CREDENTIALS: Quota = { name: 'failed_credentials', limit: 120, window_seconds: 60 };

/** Errors: `session_required`, `no_active_organization`, `insufficient_scope`. */
function permit(endpoint: Endpoint, credential: Credential | null): void {
  const { scope } = endpoint;
  if (!credential || scope === 'public' || scope === 'visitor') return;
  if ((endpoint.session || scope === 'account') && credential.kind !== 'session')
    throw new Failure('session_required');
  if (scope === 'account') return;
  if (credential.organization_id === null) throw new Failure('no_active_organization');
  if (scope !== 'any' && !allows(credential.grants, scope)) {
    throw new Failure('insufficient_scope', {
      detail: `This needs the scope ${scope}`,
      members: { required_scope: scope },
      headers:
        credential.kind === 'api_key'
          ? { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` }
          : {},
    });
  }
}

async function inputOf(context: ApiContext, endpoint: Endpoint, request: Request) {
  const { state } = request;
  const params = request.params as Record<string, string>;
  const query = new URLSearchParams(request.querystring);
  let body: unknown;
  if (endpoint.kind !== 'read') {
    state.body_text = await readBody(request);
    const sent = parseJson(state.body_text);
    body = context.versions.upgrade(state.version, endpoint, { query, body: sent });
  }
  const parsed = parseInput(endpoint, { params, query, body });
  const client = {
    ip_address: request.ip,
    user_agent: request.get('User-Agent') || null,
    session_id: state.credential?.kind === 'session' ? state.credential.id : null,
  };
  return { ...parsed, version: state.version, client } as never;
}

/** Writes the answer: in the caller's version, with its ETag; 304 for what the caller has already. */
function send(context: ApiContext, request: Request, answer: Answer<unknown>): void {
  const { state } = request;
  const body = context.versions.downgrade(state.version, state.endpoint!, answer.body);
  const text = JSON.stringify(body);
  request.status = answer.status;
  request.set(answer.headers);
  const etag = etagOf(answer.body, text);
  request.set('ETag', etag);
  if (request.method !== 'POST' && request.method !== 'PATCH' && isFresh(request, etag)) {
    request.status = 304;
    return;
  }
  request.type = answer.status >= 400 ? 'application/problem+json' : 'application/json';
  request.body = text;
}
