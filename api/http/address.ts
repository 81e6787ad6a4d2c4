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

/** What limits are counted by: the address, or the /64 that an IPv6 address is in, which one customer holds whole. */
export function addressBucket(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  const after = tail === undefined ? [] : tail.split(':').filter(Boolean);
  const whole = [...groups, ...Array(Math.max(0, 8 - groups.length - after.length)).fill('0'), ...after];
  return `${whole.slice(0, 4).join(':')}::/64`;
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
