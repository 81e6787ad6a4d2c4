import type { IncomingHttpHeaders } from 'node:http';
import { LOOPBACK, networkCheck, plainAddress } from '../../kernel/networks.ts';
import { isSameSecret } from '../access/same-secret.ts';
import type { Settings } from '../settings/settings.ts';

/** Who asks for the numbers: the other end of the connection, and the client as trusted proxies tell it. */
export type Asking = {
  socket_address: string;
  client_address: string;
  headers: IncomingHttpHeaders;
};

type WatcherSettings = Pick<Settings, 'baseUrl' | 'metricsNetworks' | 'metricsToken'>;

/**
 * Whether a request may read the service's internals (`/metrics`, the body of `/readyz`): from this
 * machine, from METRICS_NETWORKS, or with METRICS_TOKEN. Wrong tokens are not counted: 32 characters are not guessed.
 */
export function watcherCheck(settings: WatcherSettings): (asking: Asking) => boolean {
  const isInNetworks = networkCheck(settings.metricsNetworks);
  return (asking) =>
    hasToken(asking.headers, settings.metricsToken) ||
    (isInNetworks(asking.client_address) && isClientKnown(asking)) ||
    isFromThisMachine(asking, settings.baseUrl);
}

function hasToken({ authorization = '' }: IncomingHttpHeaders, token: string | undefined): boolean {
  const [, given] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  return token !== undefined && given !== undefined && isSameSecret(given, token);
}

const FORWARDING = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

function isForwarded(headers: IncomingHttpHeaders): boolean {
  return FORWARDING.some((name) => headers[name] !== undefined);
}

/** Behind a proxy that is not trusted the client is unknown: the connection comes from the proxy. */
function isClientKnown({ socket_address, client_address, headers }: Asking): boolean {
  return !isForwarded(headers) || client_address !== plainAddress(socket_address);
}

const isLoopback = networkCheck(LOOPBACK);

/**
 * A proxy on this machine connects from it too, and not each one says so in a header: with a BASE_URL that others
 * reach nothing counts as this machine. Nor does a foreign name that points here.
 */
function isFromThisMachine({ socket_address, headers }: Asking, base_url: string): boolean {
  if (!isLoopback(plainAddress(socket_address)) || isForwarded(headers)) return false;
  return isLocalName(new URL(base_url).hostname) && isLocalName(hostnameOf(headers.host));
}

function hostnameOf(host = ''): string {
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname : '';
}

function isLocalName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || isLoopback(name.replace(/^\[|\]$/g, ''));
}
