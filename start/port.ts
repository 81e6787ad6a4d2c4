import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { StartupError, systemReason } from '../shared/kernel/startup-error.ts';

/**
 * Refuses a port that cannot be listened on, before anything is started. A start that was killed leaves an API
 * that closes its port as soon as it notices: it is given a moment.
 */
export async function refuseTakenPort(port: number, host: string): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const error = await tryToListen(port, host);
    if (!error) return;
    if (error.code !== 'EADDRINUSE') {
      throw new StartupError(`The API cannot listen on HOST ${host}, PORT ${port}: ${systemReason(error)}.`);
    }
    await pause(75);
  }
  throw new StartupError(`Port ${port} is taken by another program: end it, or choose another with PORT.`);
}

function tryToListen(port: number, host: string): Promise<NodeJS.ErrnoException | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}
