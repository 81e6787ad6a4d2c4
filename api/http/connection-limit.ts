import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressBucket, LOOPBACK, networkCheck } from '../../shared/kernel/networks.ts';
import { peerAddress } from './address.ts';

/** How many connections a process holds at a time. */
export type ConnectionLimits = {
  /** Of everybody together; those beyond it are closed without an answer. */
  all: number;
  /** Of one address, or of the /64 that an IPv6 address is in. */
  address: number;
  /** Whose connections are not counted: proxies, which connect for many, and this machine. */
  isExempt: (address: string) => boolean;
};

/** The limits of a process behind these proxies. */
export function connectionLimits(trusted_proxies: readonly string[]): ConnectionLimits {
  return { all: 5_000, address: 100, isExempt: networkCheck([...LOOPBACK, ...trusted_proxies]) };
}

/** Counts the connections of each address, and hands those beyond the limit to `refuse`. */
export function limitConnections(
  server: Server,
  { all, address: most, isExempt }: ConnectionLimits,
  refuse: (socket: Socket) => void,
): void {
  const counts = new Map<string, number>();
  server.maxConnections = all;
  server.on('connection', (socket) => {
    const address = peerAddress(socket);
    if (isExempt(address)) return;
    const bucket = addressBucket(address);
    const count = (counts.get(bucket) ?? 0) + 1;
    counts.set(bucket, count);
    socket.once('close', () => {
      const left = counts.get(bucket)! - 1;
      if (left === 0) counts.delete(bucket);
      else counts.set(bucket, left);
    });
    if (count > most) refuse(socket);
  });
}
