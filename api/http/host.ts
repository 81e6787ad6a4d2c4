import type { IncomingMessage } from 'node:http';

/**
 * Whether a request says once and clearly which host it is for (RFC 9112, 3.2): HTTP/1.1 with exactly one Host header,
 * HTTP/1.0 with one at most, and an absolute URI in the place of the path names the same host. Proxies and servers that
 * chose differently between two hosts would disagree on whom the request is for.
 */
export function namesOneHost({ headersDistinct, httpVersion, url = '' }: IncomingMessage): boolean {
  const hosts = headersDistinct.host ?? [];
  if (hosts.length > 1 || (hosts.length === 0 && httpVersion === '1.1')) return false;
  if (url.startsWith('/') || url === '*' || hosts.length === 0) return true;
  const target = URL.parse(url);
  return target === null || target.host === URL.parse(`${target.protocol}//${hosts[0]}`)?.host;
}
