import { StartupError } from '../../shared/kernel/startup-error.ts';
import { scanUnscannedFiles, verifyFiles } from '../../shared/platform/intake/verify.ts';
import { openStorage } from '../../shared/platform/storage/open.ts';
import { withCommandDatabase } from '../command-database.ts';
import type { Command } from './command.ts';

/** Files that are named one by one; the rest is counted. */
const MOST_NAMED = 1_000;

/** Reads every kept file from outside back; ends with 1 where one is missing or changed. */
export const verifyFilesCommand: Command = {
  usage: 'verify-files',
  about:
    'reads every kept file from outside back and compares its SHA-256; with CLAMD_URL also has those scanned that never were',
  options: {},
  run: async (_, { settings, now, say }) => {
    const storage = await openStorage(settings);
    const bad = await withCommandDatabase(settings, async (database) => {
      const found = await verifyFiles({ database, storage }, new AbortController().signal);
      for (const { storage_key, reason } of found.bad.slice(0, MOST_NAMED)) say(`${reason}\t${storage_key}`);
      say(`${found.checked} files were read; ${found.bad.length} are missing or changed.`);
      if (settings.clamdUrl) say(`${await scanUnscannedFiles(database, now)} files wait for the scanner.`);
      return found.bad.length;
    });
    if (bad > 0) throw new StartupError(`${bad} files are bad: bring them back from a backup of the store.`);
  },
};
