import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after } from 'node:test';

export type Gate = {
  /** The address of the server behind it. */
  url: string;
  /** Breaks every connection in the middle of whatever it carries. */
  reset(): void;
  /** Swallows what either side says from now on, as a network that lost the way; connections stay open. */
  silence(): void;
  /** Lets new connections through; those of before stay silent. */
  open(): void;
};

/** Stands between a database and its clients. */
export async function gateBefore(url: string): Promise<Gate> {
  const { hostname, port } = new URL(url);
  const pairs = new Set<[Socket, Socket]>();
  let isSilent = false;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    pairs.add([near, far]);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => {});
      from.on('close', () => to.destroy());
      if (isSilent) from.resume();
      else from.pipe(to);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    for (const sockets of pairs) for (const socket of sockets) socket.destroy();
    server.close();
  });
  const here = new URL(url);
  here.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: here.href,
    reset: () => {
      for (const sockets of pairs) for (const socket of sockets) socket.resetAndDestroy();
      pairs.clear();
    },
    silence: () => {
      isSilent = true;
      for (const [near, far] of pairs) {
        near.unpipe(far).resume();
        far.unpipe(near).resume();
      }
    },
    open: () => {
      isSilent = false;
    },
  };
}
