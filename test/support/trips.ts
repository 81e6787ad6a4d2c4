import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after } from 'node:test';

export type Trips = {
  /** The address of the server behind it. */
  url: string;
  /** How often a client spoke after the server had answered it, since the last call of `count`. */
  count(): number;
};

/** Stands between a database and its clients, and counts the round trips. Gone with the test file. */
export async function tripsTo(url: string): Promise<Trips> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let trips = 0;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    let answered = true;
    near.on('data', () => {
      if (answered) trips += 1;
      answered = false;
    });
    far.on('data', () => {
      answered = true;
    });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {});
      from.on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const here = new URL(url);
  here.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: here.href,
    count: () => {
      const counted = trips;
      trips = 0;
      return counted;
    },
  };
}
