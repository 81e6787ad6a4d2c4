import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { StartupError, systemReason } from '../shared/kernel/startup-error.ts';
import { limitBody } from './http/body-timeout.ts';
import { type ConnectionLimits, limitConnections } from './http/connection-limit.ts';
import { lingerAfter } from './http/drain-body.ts';
import { namesOneHost } from './http/host.ts';
import type { TimeLimits } from './http/time-limits.ts';
import { TOO_MANY_CONNECTIONS } from './http/unreadable-request.ts';

/** Answers a request; resolves when nothing of it is under way any more, be the client still there or not. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export type Serving = {
  port: number;
  /** For what is measured of its connections. */
  server: Server;
  /**
   * Takes no new connection, ends the idle ones and the others with their answers. Resolves when the last one has
   * ended and no request is being handled any more, or when the time for it is over.
   */
  drain(): Promise<void>;
  /** Cuts every connection. */
  end(): Promise<void>;
};

type Options = {
  host: string;
  port: number;
  limits: TimeLimits;
  connections: ConnectionLimits;
  /** The whole answer to what is not a request; `reason` is the code of Node's parser, `address` that of the connection. */
  unreadable: (reason: string | undefined, address: string | undefined) => string;
};

/**
 * Listens. Errors: a StartupError where it cannot. Who sends its header or body too slowly, or does not read its answer, is cut
 * off.
 */
export async function serve(
  listener: Listener,
  { host, port, limits, connections, unreadable }: Options,
): Promise<Serving> {
  const open = new Set<ServerResponse>();
  /** A client that hung up takes its connection along, not what its request is doing with the database. */
  const handling = new Set<Promise<void>>();
  let draining = false;
  const server = createServer({
    headersTimeout: limits.header,
    connectionsCheckingInterval: limits.header / 5,
    requestTimeout: 0,
    keepAliveTimeout: 65_000,
    requireHostHeader: false,
  });
  const refuse = (socket: Duplex, reason: string | undefined) => {
    const isUnderWay = [...open].some((response) => response.socket === socket && response.headersSent);
    if (!socket.writable || isUnderWay || reason === 'ECONNRESET') socket.destroy();
    else socket.end(unreadable(reason, (socket as Socket).remoteAddress), () => socket.destroy());
  };
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => refuse(socket, code));
  limitConnections(server, connections, (socket) => refuse(socket, TOO_MANY_CONNECTIONS));
  server.timeout = limits.unread;
  server.on('timeout', (socket) => {
    // Nothing has moved for so long. Who waits for an answer that is being made has nothing to read yet.
    const isWaiting = [...open].some((response) => response.socket === socket) && socket.writableLength === 0;
    if (!isWaiting) socket.destroy();
  });
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    // Node's own refusal would be an empty answer.
    if (!namesOneHost(request)) {
      refuse(request.socket, undefined);
      return;
    }
    limitBody(request, limits.body);
    lingerAfter(request, response, limits.linger);
    if (draining) response.setHeader('Connection', 'close');
    open.add(response);
    response.once('close', () => {
      open.delete(response);
      // What had begun its answer before could not say that the connection ends with it.
      if (draining) setImmediate(() => server.closeIdleConnections());
    });
    const handled = listener(request, response).finally(() => handling.delete(handled));
    handling.add(handled);
  };
  server.on('request', answer);
  // Expectations that nobody knows may be passed over (RFC 9110, 10.1.1).
  server.on('checkExpectation', answer);
  // A sender who asks before it sends its body gets 100 Continue when the body is read, or the refusal.
  server.on('checkContinue', answer);
  server.listen(port, host);
  await once(server, 'listening').catch((error) => {
    throw new StartupError(`The API cannot listen on HOST ${host}, PORT ${port}: ${systemReason(error)}.`);
  });
  return {
    port: (server.address() as AddressInfo).port,
    server,
    drain: async () => {
      draining = true;
      const idle = close(server).then(() => Promise.all(handling));
      for (const response of open) if (!response.headersSent) response.setHeader('Connection', 'close');
      const patience = new Promise((resolve) => setTimeout(resolve, limits.drain).unref());
      await Promise.race([idle, patience]);
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
