import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { networkCheck, plainAddress } from '../../shared/kernel/networks.ts';

/** The address that a connection comes from: the client, or the proxy nearest to the service. */
export function peerAddress({ remoteAddress = '' }: { remoteAddress?: string | undefined }): string {
  return plainAddress(remoteAddress);
}

/**
 * Answers a request's client address. X-Forwarded-For is believed only as far as trusted proxies wrote it, so a
 * forged one changes nothing. `trusted` are addresses or ranges such as 10.0.0.0/8; `unbelieved` is called with the
 * address of a peer that sent one and is not among them.
 */
export function clientAddressBy(
  trusted: readonly string[],
  unbelieved: (peer: string) => void = () => undefined,
): (request: IncomingMessage) => string {
  const isTrusted = networkCheck(trusted);
  return (request) => {
    const forwarded = request.headers['x-forwarded-for'];
    const chain = String(forwarded ?? '').split(',');
    let address = peerAddress(request.socket);
    if (forwarded !== undefined && !isTrusted(address)) unbelieved(address);
    while (isTrusted(address)) {
      const before = plainAddress((chain.pop() ?? '').trim());
      if (isIP(before) === 0) break;
      address = before;
    }
    return address;
  };
}

/** Whether it is an address of this machine or of a private network (RFC 1918, RFC 4193). */
export const isPrivateAddress = networkCheck([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1',
  'fc00::/7',
]);
