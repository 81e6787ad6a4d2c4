import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { Refusal, systemReason } from '../shared/refusal.ts';
import { isForm } from './http/body.ts';
import { limitBody } from './http/body-clock.ts';
import type { TimeLimits } from './http/time-limits.ts';

/** Answers a request; resolves when nothing of it is under way any more, be the client still there or not. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export type Serving = {
  port: number;
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
  /** The whole answer to what is no request; `reason` is the code of Node's parser. */
  unreadable: (reason: string | undefined) => string;
};

/** Listens. Errors: a Refusal where it cannot. Who sends its header or body too slowly is cut off. */
export async function serve(
  listener: Listener,
  { host, port, limits, unreadable }: Options,
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
    else socket.end(unreadable(reason), () => socket.destroy());
  };
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => refuse(socket, code));
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    // Without it a request has no address of its own (RFC 9112, 3.2); Node's refusal would be an empty one.
    if (request.headers.host === undefined && request.httpVersion === '1.1') {
      refuse(request.socket, undefined);
      return;
    }
    limitBody(request, limits.body);
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
  server.on('checkContinue', (request, response) => {
    // A sender who asks before it sends a file is told to go on when its file is read, or why not.
    if (!isForm(request)) response.writeContinue();
    answer(request, response);
  });
  server.listen(port, host);
  await once(server, 'listening').catch((error) => {
    throw new Refusal(`The API cannot listen on HOST ${host}, PORT ${port}: ${systemReason(error)}.`);
  });
  return {
    port: (server.address() as AddressInfo).port,
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
