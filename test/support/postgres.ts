import { createHash } from 'node:crypto';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { FolderInUse } from '../../shared/db/embedded/lock.ts';
import { type Embedded, startEmbedded } from '../../shared/db/embedded.ts';

const repository = createHash('sha256')
  .update(resolve(import.meta.dirname, '../..'))
  .digest('hex')
  .slice(0, 8);

/** The data folder of the server that single test files share. */
export const sharedFolder = join(tmpdir(), `business-operations-test-${userInfo().uid}-${repository}`);

let asked: Promise<{ url: string }> | undefined;

/**
 * The one server of all test files: that of the test command, or, for a file run alone, one that is
 * started by the first file that asks and left running for the next. The URL is the superuser's.
 */
export function testServer(): Promise<{ url: string }> {
  asked ??= process.env.TEST_DATABASE_SERVER
    ? Promise.resolve({ url: process.env.TEST_DATABASE_SERVER })
    : openServer(sharedFolder).then((server) => {
        server.leave();
        return { url: server.adminUrl };
      });
  return asked;
}

/** Starts or adopts a server that may lose everything in a crash, and waits for whoever starts it at the same time. */
export async function openServer(dataDir: string): Promise<Embedded> {
  const until = Date.now() + 60_000;
  for (;;) {
    try {
      return await startEmbedded({
        dataDir,
        log: () => {},
        settings: {
          fsync: 'off',
          synchronous_commit: 'off',
          full_page_writes: 'off',
          max_connections: '400',
          shared_buffers: '256MB',
        },
      });
    } catch (error) {
      if (!(error instanceof FolderInUse) || Date.now() > until) throw error;
      await pause(50);
    }
  }
}
