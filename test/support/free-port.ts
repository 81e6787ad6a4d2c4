import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what Linux gives to connections that name no port of their own: none of them takes it before the test does. */
const FIRST = 10_240;
const LAST = 32_767;

/** A port of 127.0.0.1 on which nobody listens. */
export async function freePort(): Promise<number> {
  const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return freePort();
  }
  server.close();
  await once(server, 'close');
  return port;
}
