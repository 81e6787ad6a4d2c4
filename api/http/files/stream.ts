import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../../shared/kernel/failure.ts';
import { addressBucket } from '../../../shared/kernel/networks.ts';
import type { ApiContext } from '../../context.ts';
import { accessOf } from '../access.ts';
import { callerOf } from '../caller.ts';
import { languageAskedFor } from '../language.ts';
import type { Caller, Request } from '../request.ts';
import { type Call, organizationOf, type Ran } from '../run-endpoint.ts';
import { warnedIn } from '../warnings.ts';
import type { Look, StreamEndpoint, StreamedEvent } from './stream-declaration.ts';

/** Milliseconds after which a client that lost the stream comes again. */
const RETRY = 3_000;

const STREAMS: Ran = { streams: true };

/** Milliseconds between two looks: faster changes are sent together. */
const SHORTEST_PAUSE = 250;

/**
 * Answers a stream of server-sent events until its subject is over, the caller goes, the credential is no longer valid or
 * the process ends. Errors: `rate_limited` for too many open streams. 204 where all events were sent before: then a
 * browser does not connect again.
 */
export async function openStream(context: ApiContext, endpoint: StreamEndpoint, call: Call): Promise<Ran> {
  const { input, request } = call;
  const last_event_id = request.get('Last-Event-ID') || null;
  const giveBack = context.stream_places.take(request.state.credential?.id ?? addressBucket(request.ip));
  const watch = context.notices.watch(endpoint.topic(input));
  const end = () => {
    watch.end();
    giveBack();
  };
  const first = await look(context, endpoint, call, call.caller, last_event_id).catch((error) => {
    end();
    throw error;
  });
  request.set({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
  if (request.method === 'HEAD' || (first.is_over && first.events.length === 0)) {
    end();
    request.status = request.method === 'HEAD' ? 200 : 204;
    if (request.status === 200) request.type = 'text/event-stream';
    return STREAMS;
  }
  const gone = new AbortController();
  request.res.once('close', () => gone.abort());
  const ended = AbortSignal.any([gone.signal, context.ending]);
  const texts = eventsOf(context, endpoint, call, { first, last_event_id, watch, ended });
  request.status = 200;
  const body = Readable.from(texts, { objectMode: false });
  // A generator that was never begun has no end of its own: the reader may have gone during the first look.
  body.once('close', end);
  request.body = body;
  request.type = 'text/event-stream';
  return STREAMS;
}

type Streaming = {
  first: Look;
  last_event_id: string | null;
  watch: ReturnType<ApiContext['notices']['watch']>;
  ended: AbortSignal;
};

/** Each piece is made when the one before has left: a slow reader gets the latest state, not every change. */
async function* eventsOf(
  context: ApiContext,
  endpoint: StreamEndpoint,
  call: Call,
  { first, last_event_id, watch, ended }: Streaming,
): AsyncGenerator<Buffer> {
  const { heartbeat, proof } = context.time_limits;
  let { caller } = call;
  let last = last_event_id;
  let found = first;
  let checked_at = performance.now();
  try {
    yield Buffer.from(`retry: ${RETRY}\n\n`);
    for (;;) {
      for (const event of found.events) {
        yield Buffer.from(textOf(context, endpoint, call.request, event));
        last = event.id;
      }
      if (found.is_over) return;
      await pause(SHORTEST_PAUSE, undefined, { signal: ended }).catch(() => undefined);
      const until_check = checked_at + proof - performance.now();
      const changed = await watch.changed(Math.max(0, Math.min(heartbeat, until_check)), ended);
      if (ended.aborted) return;
      if (performance.now() >= checked_at + proof) {
        caller = await callerAgain(context, endpoint, call.request, caller);
        checked_at = performance.now();
      }
      if (!changed) yield Buffer.from(': \n\n');
      found = await look(context, endpoint, call, caller, last);
    }
  } catch (error) {
    // The caller connects again, and then gets the reason.
    if (!(error instanceof Failure))
      context.log.warn({ err: error, endpoint: endpoint.id }, 'A stream ended with an error');
  } finally {
    watch.end();
  }
}

function look(
  { database, time_limits, now }: ApiContext,
  endpoint: StreamEndpoint,
  { input }: Call,
  caller: Caller,
  last_event_id: string | null,
): Promise<Look> {
  return database.withConnection(
    organizationOf(caller),
    (connection) => endpoint.look(input, { ...caller, now: now(), connection }, last_event_id),
    AbortSignal.timeout(time_limits.handler),
  );
}

/** Checks the caller again: a revoked key or a member who left gets no more events. Errors: those of the first request. */
async function callerAgain(
  context: ApiContext,
  endpoint: StreamEndpoint,
  request: Request,
  caller: Caller,
): Promise<Caller> {
  const access = accessOf(endpoint);
  const credential = await access.find(context, request);
  access.authorize(credential, endpoint);
  const again = callerOf(context, request, access, credential);
  if (again.organization_id !== caller.organization_id) throw new Failure('not_found');
  return again;
}

function textOf(
  context: ApiContext,
  endpoint: StreamEndpoint,
  request: Request,
  event: StreamedEvent,
): string {
  const shown = warnedIn(languageAskedFor(request), event.data);
  const data = context.versions.downgrade(request.state.version, endpoint, shown);
  return `id: ${event.id}\nevent: ${event.event}\ndata: ${JSON.stringify(data)}\n\n`;
}
