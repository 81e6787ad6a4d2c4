import { domains } from '../../shared/domains.ts';
import { StartupError } from '../../shared/kernel/startup-error.ts';
import { StoreAway } from '../../shared/platform/intake/store-away.ts';
import { filesFromOutside } from '../../shared/platform/intake/verified-files.ts';
import { scanUnscannedFiles, verifyFiles } from '../../shared/platform/intake/verify.ts';
import { openStorage, requireFolder } from '../../shared/platform/storage/open.ts';
import { withCommandDatabase } from '../command-database.ts';
import type { Command } from './command.ts';

/** Files that are named one by one; the rest is counted. */
const MOST_NAMED = 1_000;

/** Reads every file back that came from outside, was sealed or issued; ends with 1 where one is missing, changed or unreadable. */
export const verifyFilesCommand: Command = {
  usage: 'verify-files',
  about:
    'reads every file back that came from outside, was sealed or issued, and compares its SHA-256; with CLAMD_URL also has those scanned that never were',
  options: {},
  run: async (_, { settings, now, say }) => {
    await requireFolder(settings);
    const storage = await openStorage(settings);
    const { bad, unreadable } = await withCommandDatabase(settings, async (database) => {
      const kept = [filesFromOutside, ...domains.flatMap(({ verified_files = [] }) => verified_files)];
      const found = await verifyFiles({ database, storage }, kept, new AbortController().signal).catch(
        stopped,
      );
      for (const { storage_key, reason } of found.bad.slice(0, MOST_NAMED)) say(`${reason}\t${storage_key}`);
      for (const { storage_key, reason, why } of found.unreadable.slice(0, MOST_NAMED)) {
        say(`${reason}\t${storage_key}\t${why}`);
      }
      say(`${found.checked} files were read; ${found.bad.length} are missing or changed.`);
      if (found.unreadable.length > 0) say(`${found.unreadable.length} could not be read.`);
      if (settings.clamdUrl) say(`${await scanUnscannedFiles(database, now)} files wait for the scanner.`);
      return found;
    });
    const faults = [
      bad.length > 0 && `${bad.length} files are bad: bring them back from a backup of the store.`,
      unreadable.length > 0 &&
        `${unreadable.length} files could not be read: mend what is said of each, then verify again.`,
    ].filter(Boolean);
    if (faults.length > 0) throw new StartupError(faults.join('\n'));
  },
};

function stopped(error: unknown): never {
  throw error instanceof StoreAway
    ? new StartupError(`${error.message}. Mend that, then verify again.`)
    : error;
}
