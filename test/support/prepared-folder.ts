import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Identity, readIdentity, writeIdentity } from '../../shared/db/embedded/identity.ts';
import { FolderInUse, type FolderLock, lockFolder } from '../../shared/db/embedded/lock.ts';
import { startEmbedded } from '../../shared/db/embedded.ts';
import { migrate } from '../../shared/db/migrate.ts';
import { schemaFingerprint } from './fingerprint.ts';
import { sharedFolder } from './postgres.ts';

/**
 * A new data folder as a start leaves it that was ended before its programs served: a database with the schema of this
 * release, its server stopped. Copied from one that is made once: to make and migrate a database takes 4 s of a processor.
 */
export async function preparedFolder(): Promise<string> {
  const template = join(process.env.TEST_SERVER_FOLDER ?? sharedFolder, `data-folder-${schemaFingerprint()}`);
  const folder = join(process.env.TEST_SERVER_FOLDER ?? tmpdir(), `prepared-${randomUUID()}`);
  mkdirSync(folder);
  const identity = await prepared(template);
  const own = join(folder, 'postgres');
  // Its files belong to the account of PostgreSQL, and are to stay so.
  const { status, stderr } = spawnSync('cp', ['-Rp', identity.folder, own]);
  if (status !== 0) throw new Error(`The folder is not copied: ${stderr}`);
  writeIdentity(folder, { ...identity, folder: own, port: null });
  return folder;
}

/** Makes the template, or waits until another process has; answers what is known of its database. */
async function prepared(template: string): Promise<Identity> {
  const [dataDir, made] = [join(template, 'data'), join(template, 'made')];
  mkdirSync(template, { recursive: true });
  const lock = await held(template);
  try {
    if (!existsSync(made)) {
      const server = await startEmbedded({ dataDir, log: () => {}, settings: { fsync: 'off' } });
      await migrate(server.url, { log: () => {} });
      await server.stop();
      writeFileSync(made, '');
    }
    return readIdentity(dataDir)!;
  } finally {
    lock.release();
  }
}

async function held(folder: string): Promise<FolderLock> {
  const until = Date.now() + 300_000;
  for (;;) {
    try {
      return lockFolder(folder);
    } catch (error) {
      if (!(error instanceof FolderInUse) || Date.now() > until) throw error;
      await pause(50);
    }
  }
}
