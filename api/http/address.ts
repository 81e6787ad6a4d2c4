import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { networkCheck, plainAddress } from '../../shared/networks.ts';

/** The address that a connection comes from: the client, or the proxy nearest to the service. */
export function peerAddress({ remoteAddress = '' }: { remoteAddress?: string | undefined }): string {
  return plainAddress(remoteAddress);
}

/**
 * Answers a request's client address. X-Forwarded-For is believed only as far as trusted proxies wrote it, so a
 * forged one changes nothing. `trusted` are addresses or ranges such as 10.0.0.0/8.
 */
export function clientAddressBy(trusted: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = networkCheck(trusted);
  return (request) => {
    const chain = String(request.headers['x-forwarded-for'] ?? '').split(',');
    let address = peerAddress(request.socket);
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
