import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TimeLimits } from './http/time-limits.ts';

export type Serving = {
  port: number;
  /**
   * Takes no new connection, ends the idle ones and the others with their answers. Resolves when the last one has
   * ended, or when the time for it is over.
   */
  drain(): Promise<void>;
  /** Cuts every connection. */
  end(): Promise<void>;
};

/** Listens. Who sends its header or body too slowly is cut off. */
export async function serve(
  listener: RequestListener,
  { host, port, limits }: { host: string; port: number; limits: TimeLimits },
): Promise<Serving> {
  const open = new Set<ServerResponse>();
  let draining = false;
  const server = createServer({
    headersTimeout: limits.header,
    connectionsCheckingInterval: limits.header / 5,
    requestTimeout: 0,
    keepAliveTimeout: 65_000,
  });
  server.on('request', (request, response) => {
    limitBody(request, limits.body);
    if (draining) response.setHeader('Connection', 'close');
    open.add(response);
    response.once('close', () => open.delete(response));
    listener(request, response);
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    drain: async () => {
      draining = true;
      const closed = close(server);
      for (const response of open) if (!response.headersSent) response.setHeader('Connection', 'close');
      const patience = new Promise((resolve) => setTimeout(resolve, limits.drain).unref());
      await Promise.race([closed, patience]);
    },
    end: async () => {
      const closed = close(server);
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Closing ends the idle connections too. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Node's own limit for a whole request counts the header in and has one length for all: this one is for the body. */
function limitBody(request: IncomingMessage, milliseconds: number): void {
  const { headers } = request;
  if (headers['transfer-encoding'] === undefined && headers['content-length'] === undefined) return;
  const timer = setTimeout(() => {
    // A body that nobody reads may have arrived all the same.
    if (!request.complete) request.socket.destroy();
  }, milliseconds);
  const arrived = () => clearTimeout(timer);
  request.once('end', arrived);
  request.once('close', arrived);
}
