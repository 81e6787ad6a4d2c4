import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import { newId } from '../../shared/kernel/id.ts';
import type { ApiContext } from '../context.ts';
import { healthPaths } from '../health-paths.ts';
import { clientAddressBy, isPrivateAddress } from './address.ts';
import { loggedPath } from './logged-path.ts';
import type { Request } from './request.ts';
import { securityHeaders } from './security-headers.ts';

/** Proxies and Prometheus ask these several times a second: such lines would push all others out of a log that is bounded. */
const healthChecks = new Set(healthPaths.map(({ path }) => path));

/** Gives every answer its headers, errors too, and writes one log line and one measurement for each request. */
export function accessLog(api: ApiContext): Middleware {
  const { settings, log, metrics, versions, now } = api;
  const headers = securityHeaders(api);
  const addressOf = clientAddressBy(settings.trustedProxies, warnOnceOfProxy(log));
  return async function logRequest(context, next) {
    const started = performance.now();
    const { state } = context as unknown as Request;
    state.request_id = newId('req', now());
    state.version = versions.latest;
    // Koa's own `ip` believes any proxy or none; this address is the one that trusted proxies name.
    context.request.ip = addressOf(context.req as IncomingMessage);
    context.set(headers);
    context.set('Request-Id', state.request_id);
    await next();
    context.set('Service-Version', state.version);
    const seconds = (performance.now() - started) / 1000;
    const endpoint = state.endpoint?.id ?? 'none';
    metrics.answered(endpoint, context.status, seconds);
    const isExpected = context.status < 400 && healthChecks.has(context.path);
    log[isExpected ? 'debug' : 'info']({
      request_id: state.request_id,
      endpoint,
      method: context.method,
      path: state.endpoint?.path ?? state.page_path ?? loggedPath(context.path),
      address: context.request.ip,
      status: context.status,
      organization_id: (state.credential ?? state.link)?.organization_id ?? undefined,
      credential_id: state.credential?.id,
      milliseconds: Math.round(seconds * 1000 * 10) / 10,
    });
  };
}

/**
 * Warns once that a proxy is not trusted: then all of its clients have the proxy's address, and share the limits of one.
 * The peer is named where it is an address of a private network, as proxies have; another may be a person's.
 */
function warnOnceOfProxy(log: Logger): (peer: string) => void {
  let isTold = false;
  return (peer) => {
    if (isTold) return;
    isTold = true;
    log.warn(
      isPrivateAddress(peer) ? { peer } : {},
      'X-Forwarded-For arrived from a peer that is not in TRUSTED_PROXIES and was ignored: if the peer is your proxy, add its address, or all its clients share the limits of one',
    );
  };
}
