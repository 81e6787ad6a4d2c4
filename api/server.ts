import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as Listening, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
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
   * Takes no new connection, ends the idle ones and the others with their answers. One that was made before, and so may
   * have its first request on the way, counts as idle only when that has not come within `first_request`. Resolves when
   * the last one has ended and no request is being handled any more, or when the time for it is over.
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
  /** Have not sent a request yet: what a proxy has connected for one is among them. */
  const silent = new Set<Socket>();
  const noneSilent = Promise.withResolvers<void>();
  const forget = (socket: Socket) => {
    silent.delete(socket);
    if (!server.listening && silent.size === 0) noneSilent.resolve();
  };
  let draining = false;
  let endsIdle = false;
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
  server.on('connection', (socket) => {
    silent.add(socket);
    socket.once('close', () => forget(socket));
  });
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    forget(request.socket);
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
      if (endsIdle) setImmediate(() => server.closeIdleConnections());
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
      for (const response of open) if (!response.headersSent) response.setHeader('Connection', 'close');
      const patience = within(limits.drain);
      await acceptWaiting(server);
      const idle = stopListening(server).then(() => Promise.all(handling));
      if (silent.size > 0) await Promise.race([noneSilent.promise, within(limits.first_request), patience]);
      endsIdle = true;
      server.closeIdleConnections();
      await Promise.race([idle, patience]);
    },
    end: async () => {
      const closed = close(server);
      server.closeAllConnections();
      await closed;
    },
  };
}

/** As many as the system makes wait for a process that is busy. */
const WAITING = 511;

/**
 * Accepts the connections that the system has made for the process already: a turn of the event loop takes one of them,
 * and with the listening socket the others would be reset, with the requests that were sent over them.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on('connection', count);
  // The first turn may be the rest of the present one, which has looked for connections before.
  for (let turns = 0, idle = 0; idle < 2 && turns < WAITING; turns += 1) {
    const before = accepted;
    await turn();
    idle = accepted === before ? idle + 1 : 0;
  }
  server.off('connection', count);
}

/** Takes no new connection. Resolves when all that there are have ended; Node's own server would end the idle ones now. */
function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => Listening.prototype.close.call(server, () => resolve()));
}

function within(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}

/** Closing ends the idle connections too. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
