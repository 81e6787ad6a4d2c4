import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether a program is on the PATH, or in a folder besides; where it is not, the tests that need it are skipped and say so. */
export function hasCommand(name: string, besides?: string): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return [...folders, ...(besides ? [besides] : [])].some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
