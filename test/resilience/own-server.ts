import { rmSync } from 'node:fs';
import { after } from 'node:test';
import { type Database, openDatabase } from '../../shared/db/database.ts';
import { readIdentity } from '../../shared/db/embedded/identity.ts';
import { runningPostmaster } from '../../shared/db/embedded/postmaster.ts';
import { startEmbedded } from '../../shared/db/embedded.ts';
import { preparedFolder } from '../support/prepared-folder.ts';
import { until } from '../support/until.ts';

export type OwnServer = {
  url: string;
  admin_url: string;
  database: Database;
  /** Ends the server: SIGINT closes every connection, SIGQUIT drops everything where it is. */
  takeAway(signal: 'SIGINT' | 'SIGQUIT'): Promise<void>;
  bringBack(): Promise<void>;
};

/** A PostgreSQL server that a test may stop, with the schema of this release; gone with the test file. */
export async function ownServer(): Promise<OwnServer> {
  const folder = await preparedFolder();
  // What a commit wrote is with the kernel, which stays: only a power cut would need fsync.
  const server = await startEmbedded({ dataDir: folder, log: () => {}, settings: { fsync: 'off' } });
  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const database = openDatabase({ url: server.url, pool_size: 4 });
  after(() => database.end());
  const running = () => runningPostmaster(readIdentity(folder)!.folder);
  return {
    url: server.url,
    admin_url: server.adminUrl,
    database,
    takeAway: async (signal) => {
      process.kill(running()!.pid, signal);
      await until('the server has ended', () => running() === null);
    },
    bringBack: async () => {
      await server.revive();
    },
  };
}
