import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './addresses.ts';
import { OutsideFailure, type OutsideReason } from './failure.ts';

/** A call to the outside. */
export type OutsideCall = {
  url: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'PROPFIND' | 'REPORT';
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** Milliseconds for all of it, from the look-up of the name to the last byte of the answer. */
  time_limit: number;
  /** Bytes that the body of the answer may have. */
  most_bytes: number;
  /** How many redirects a call that only reads follows; each target is checked as the first one was. None unless said. */
  redirects?: number;
  /** Whether a redirect to another host or port is a failure. */
  keeps_host?: boolean;
  signal?: AbortSignal;
};

/** What the other side answered, whatever its status. */
export type OutsideAnswer = {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
  /** Where the answer came from, after redirects. */
  url: string;
};

/** Calls the outside. Errors: `OutsideFailure`; retries are for the caller, who knows what may happen twice. */
export type Outside = (call: OutsideCall) => Promise<OutsideAnswer>;

export type OutsideOptions = {
  /** Hosts, alone or with their ports, whose addresses may be private. */
  trusted_hosts: readonly string[];
  /** Whether all others are called by https alone. */
  https_alone?: boolean;
  /** Resolves a name to all its addresses; the resolver of the system unless said. */
  resolve?: (host: string) => Promise<{ address: string; family: number }[]>;
};

/** Headers that are for the first host alone. */
const OF_THE_HOST = new Set(['authorization', 'cookie', 'proxy-authorization']);

/**
 * The client for calls to the outside. A name is resolved once for a connection, every address that it has must be public
 * (unless the settings name the host), and the connection goes to these very addresses: a second answer of the resolver
 * leads nowhere else. Connections are not kept.
 */
export function openOutside(options: OutsideOptions): Outside {
  const addressesOf = resolverOf(options);
  return async (call) => {
    const limit = AbortSignal.timeout(call.time_limit);
    const signal = call.signal ? AbortSignal.any([limit, call.signal]) : limit;
    let url = readUrl(call.url);
    let headers = call.headers ?? {};
    for (let left = call.redirects ?? 0; ; left--) {
      const found = await inTime(addressesOf(url), signal, limit);
      const answer = await send({ ...call, headers }, url, found, signal, limit);
      const { location } = answer.headers;
      if (!REDIRECTS.has(answer.status) || location === undefined) return answer;
      if (left <= 0 || !ONLY_READ.has(call.method)) throw failure('redirect', true);
      const next = readUrl(location, url);
      if (call.keeps_host && next.host !== url.host) throw failure('redirect', true);
      if (url.protocol === 'https:' && next.protocol !== 'https:') throw failure('redirect', true);
      if (next.origin !== url.origin) headers = withoutThoseOfHost(headers);
      url = next;
    }
  };
}

/**
 * What keeps a host from being called at all, asked before anything is sent: `url`, `insecure`, `dns`, `address_refused`,
 * `timeout`; null for nothing. The call itself looks again.
 */
export function openAddressCheck(
  options: OutsideOptions,
): (url: string, time_limit: number) => Promise<OutsideReason | null> {
  const addressesOf = resolverOf(options);
  return async (url, time_limit) => {
    const limit = AbortSignal.timeout(time_limit);
    try {
      await inTime(addressesOf(readUrl(url)), limit, limit);
      return null;
    } catch (error) {
      if (error instanceof OutsideFailure) return error.reason;
      throw error;
    }
  };
}

/** Finds the addresses of a host that may be called. Errors: `OutsideFailure`. */
function resolverOf({ trusted_hosts, https_alone = false, resolve = resolveBySystem }: OutsideOptions) {
  const trusted = new Set(trusted_hosts);
  return async (url: URL): Promise<{ address: string; family: number }[]> => {
    const isTrusted = trusted.has(url.host) || trusted.has(url.hostname);
    if (https_alone && url.protocol !== 'https:' && !isTrusted) throw failure('insecure');
    const name = url.hostname.replace(/^\[|\]$/g, '');
    const version = isIP(name);
    const found = version
      ? [{ address: name, family: version }]
      : await resolve(name).catch(() => {
          throw failure('dns');
        });
    if (found.length === 0) throw failure('dns');
    if (!isTrusted && !found.every(({ address }) => isPublicAddress(address))) {
      throw failure('address_refused');
    }
    return found;
  };
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Methods that change nothing there, so that a redirect is followed with the same one. */
const ONLY_READ: ReadonlySet<OutsideCall['method']> = new Set(['GET', 'PROPFIND', 'REPORT']);

function resolveBySystem(host: string): Promise<{ address: string; family: number }[]> {
  return lookup(host, { all: true, verbatim: true });
}

/** Errors: `OutsideFailure` for what is not http, or has a name and password in it. */
function readUrl(text: string, base?: URL): URL {
  if (!URL.canParse(text, base)) throw failure('url');
  const url = new URL(text, base);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  if (!isWeb || url.username !== '' || url.password !== '') throw failure('url');
  return url;
}

function send(
  { method, headers, body, most_bytes }: OutsideCall,
  url: URL,
  found: readonly { address: string; family: number }[],
  signal: AbortSignal,
  limit: AbortSignal,
): Promise<OutsideAnswer> {
  return new Promise((done, fail) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp;
    let isConnected = false;
    const sent = request(
      url,
      { method, headers: { ...headers, ...lengthOf(body) }, agent: false, signal, lookup: pinnedTo(found) },
      (answer) => {
        const parts: Buffer[] = [];
        let size = 0;
        answer.on('data', (part: Buffer) => {
          size += part.length;
          if (size > most_bytes) return answer.destroy(failure('too_large', true));
          parts.push(part);
        });
        answer.on('error', (error) => fail(failureOf(error, true, limit)));
        answer.once('end', () => {
          const { statusCode: status = 0, headers: answered } = answer;
          done({ status, headers: answered, body: Buffer.concat(parts), url: url.href });
        });
      },
    );
    sent.once('socket', (socket) => {
      const event = url.protocol === 'https:' ? 'secureConnect' : 'connect';
      socket.once(event, () => {
        isConnected = true;
      });
    });
    sent.on('error', (error) => fail(failureOf(error, isConnected, limit)));
    // Without a listener Node ends the connection of a 101 and tells nobody, not even when the time is over.
    sent.on('upgrade', (_, socket) => {
      socket.destroy();
      fail(failure('reset', true));
    });
    sent.end(body);
  });
}

function lengthOf(body: string | Buffer | undefined): Record<string, string> {
  return body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
}

/** Answers what was found and checked, whatever name it is asked for. */
function pinnedTo(found: readonly { address: string; family: number }[]): LookupFunction {
  return (_, options, answer) => {
    if (options.all) answer(null, [...found]);
    else answer(null, found[0]!.address, found[0]!.family);
  };
}

async function inTime<T>(work: Promise<T>, signal: AbortSignal, limit: AbortSignal): Promise<T> {
  if (signal.aborted) throw failure(limit.aborted ? 'timeout' : 'aborted');
  const ended = new AbortController();
  const aborted = new Promise<never>((_, refuse) => {
    const give = () => refuse(failure(limit.aborted ? 'timeout' : 'aborted'));
    signal.addEventListener('abort', give, { signal: ended.signal });
  });
  return Promise.race([work, aborted]).finally(() => ended.abort());
}

function failureOf(error: Error, is_connected: boolean, limit: AbortSignal): OutsideFailure {
  if (error instanceof OutsideFailure) return error;
  if (error.name === 'AbortError' || error.name === 'TimeoutError') {
    return failure(limit.aborted ? 'timeout' : 'aborted', is_connected);
  }
  if (is_connected) return failure('reset', true);
  const { code = '' } = error as NodeJS.ErrnoException;
  const isOfNetwork =
    /^E(CONN|HOST|NET|ADDR|TIMEDOUT|PIPE|ACCES)/.test(code) || error instanceof AggregateError;
  return failure(isOfNetwork ? 'connect' : 'tls');
}

function failure(reason: OutsideReason, may_have_arrived = false): OutsideFailure {
  return new OutsideFailure(reason, { may_have_arrived });
}

function withoutThoseOfHost(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_HOST.has(name.toLowerCase())));
}
