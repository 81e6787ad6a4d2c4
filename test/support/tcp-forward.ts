import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { after } from 'node:test';

/**
 * A plain TCP forward to a port of this machine, as `ssh -R` or a proxy in TCP mode makes it; answers its own port. Each
 * connection is cut after so many bytes of its client as `cut_after` says, null for one that is let be.
 */
export async function forwardTo(port: number, cut_after: () => number | null = () => null): Promise<number> {
  const server = createServer((client) => {
    const target = connect(port, '127.0.0.1');
    client.pipe(target).pipe(client);
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    const most = cut_after();
    let sent = 0;
    client.on('data', (chunk) => {
      sent += chunk.length;
      if (most !== null && sent >= most) target.end(() => client.destroy());
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  return (server.address() as AddressInfo).port;
}
