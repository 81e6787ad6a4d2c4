import { readIdentity, serviceUrl } from './identity.ts';
import { runningPostmaster } from './postmaster.ts';

/** The address of the embedded database of this data folder while it runs; undefined when it does not. */
export function runningDatabase(dataDir: string): string | undefined {
  const identity = readIdentity(dataDir);
  const running = identity && runningPostmaster(identity.folder);
  return running ? serviceUrl({ ...identity, port: running.port }) : undefined;
}
