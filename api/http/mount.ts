import Router from '@koa/router';
import type { Context } from 'koa';
import type { ApiContext } from '../context.ts';
import { permit, prove } from './authorize.ts';
import { bodyLimitsOf, readBody, refuseLargeBody } from './body.ts';
import { callerOf } from './caller.ts';
import { etagOf, isFresh } from './conditional.ts';
import type { Answer, Endpoint } from './endpoint.ts';
import type { StreamEndpoint, UploadEndpoint } from './files/declarations.ts';
import { actGenerated } from './files/generated.ts';
import { serveFile } from './files/serve.ts';
import { openStream } from './files/stream.ts';
import { actUpload, formLimitOf } from './files/upload.ts';
import { parseJson } from './json.ts';

import { mailLimitsOf } from './mail-limits.ts';
import { parseInput } from './parse.ts';
import { limitRate } from './rate.ts';
import type { Request } from './request.ts';
import { type Call, type Ran, runFile, runRead, runStepwise, runWrite } from './run-endpoint.ts';
import { withinTime } from './time-limits.ts';

/** Turns the list of endpoints into routes. The order of the steps is the order in which faults are told. */
export function mount(context: ApiContext, endpoints: readonly Endpoint[]): Router {
  const router = new Router({ strict: true, sensitive: true });
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
  refuseLargeBody(request, endpoint.kind === 'upload' ? formLimitOf(endpoint) : bodyLimitsOf(endpoint).bytes);
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
  if (endpoint.kind === 'stream') return openStream(context, endpoint, { input, caller, request });
  const acted =
    endpoint.kind === 'upload'
      ? await actUpload(context, endpoint, { input, caller, request })
      : await withinTime(context.time_limits.handler, (signal) =>
          act(context, endpoint, { input, caller, request, signal }),
        );
  if ('file' in acted) return serveFile(context, request, acted.file);
  if (acted.replayed) request.set('Idempotency-Replayed', 'true');
  send(context, request, acted.answer);
}

type AnsweredAtOnce = Exclude<Endpoint, UploadEndpoint | StreamEndpoint>;

function act(context: ApiContext, endpoint: AnsweredAtOnce, call: Call): Promise<Ran> {
  switch (endpoint.kind) {
    case 'read':
      return endpoint.generates ? actGenerated(context, endpoint, call) : runRead(context, endpoint, call);
    case 'generated':
      return actGenerated(context, endpoint, call);
    case 'file':
      return runFile(context, endpoint, call);
    case 'write':
      return runWrite(context, endpoint, call);
    case 'stepwise':
      return runStepwise(context, endpoint, call);
  }
}

async function inputOf(context: ApiContext, endpoint: Endpoint, request: Request) {
  const { state } = request;
  const params = request.params as Record<string, string>;
  const query = new URLSearchParams(request.querystring);
  let body: unknown;
  if (endpoint.kind === 'write' || endpoint.kind === 'stepwise') {
    const limits = bodyLimitsOf(endpoint);
    state.body_text = await readBody(request, limits.bytes);
    const sent = parseJson(state.body_text, limits.values);
    body = context.versions.upgrade(state.version, endpoint, { query, body: sent });
  }
  const parsed = parseInput(endpoint, { params, query, body });
  const client = {
    ip_address: request.ip,
    user_agent: request.get('User-Agent') || null,
    session_id: state.credential?.kind === 'session' ? state.credential.id : null,
  };
  return { ...parsed, version: state.version, client, mail_limits: mailLimitsOf(context.settings) } as never;
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
