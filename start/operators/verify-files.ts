import { domains } from '../../shared/domains.ts';
import { StartupError } from '../../shared/kernel/startup-error.ts';
import { filesFromOutside } from '../../shared/platform/intake/verified-files.ts';
import { scanUnscannedFiles, verifyFiles } from '../../shared/platform/intake/verify.ts';
import { openStorage } from '../../shared/platform/storage/open.ts';
import { withCommandDatabase } from '../command-database.ts';
import type { Command } from './command.ts';

/** Files that are named one by one; the rest is counted. */
const MOST_NAMED = 1_000;

/** Reads every file back that came from outside, was sealed or issued; ends with 1 where one is missing or changed. */
export const verifyFilesCommand: Command = {
  usage: 'verify-files',
  about:
    'reads every file back that came from outside, was sealed or issued, and compares its SHA-256; with CLAMD_URL also has those scanned that never were',
  options: {},
  run: async (_, { settings, now, say }) => {
    const storage = await openStorage(settings);
    const bad = await withCommandDatabase(settings, async (database) => {
      const kept = [filesFromOutside, ...domains.flatMap(({ verified_files = [] }) => verified_files)];
      const found = await verifyFiles({ database, storage }, kept, new AbortController().signal);
      for (const { storage_key, reason } of found.bad.slice(0, MOST_NAMED)) say(`${reason}\t${storage_key}`);
      say(`${found.checked} files were read; ${found.bad.length} are missing or changed.`);
      if (settings.clamdUrl) say(`${await scanUnscannedFiles(database, now)} files wait for the scanner.`);
      return found.bad.length;
    });
    if (bad > 0) throw new StartupError(`${bad} files are bad: bring them back from a backup of the store.`);
  },
};
