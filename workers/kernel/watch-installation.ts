import type { Logger } from 'pino';
import { type Database, EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { installationState } from '../../shared/platform/installation/installation.ts';

export type WatchOptions = {
  database: Database;
  /** The installation whose queues this process serves. */
  installation: string;
  log: Logger;
  /** Called once when the database has become another installation; the process is to end and be started again. */
  exchanged: (why: string) => unknown;
};

/** Milliseconds between two looks. */
const LOOK = 2_000;

/**
 * Ends the process when its database was restored under it, since its queues are named by the installation before. Also
 * warns once where the installation is undecided. A database that is away is waited for.
 */
export function watchInstallation({ database, installation, log, exchanged }: WatchOptions): void {
  let warned = false;
  const timer = setInterval(look, LOOK).unref();
  void look();

  async function look(): Promise<void> {
    const state = await database.withConnection(EVERY_ORGANIZATION, installationState).catch(() => null);
    if (!state) return;
    if (state.is_undecided && !warned) {
      warned = true;
      log.warn({ installation }, 'The database was restored: mails wait until npm run installation decides');
    }
    if (state.id === installation) return;
    clearInterval(timer);
    log.error({ installation }, 'The database now belongs to another installation: the process ends');
    exchanged('The database was restored');
  }
}
