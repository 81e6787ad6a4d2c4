import { access, constants, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isAbsent } from './disk-trouble.ts';

/** Makes a folder and those above it, for the service alone. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    // Node says of a disk that takes no writes that the folder is absent: what is there tells the reason.
    if (isAbsent(error)) await access(await nearestFolder(folder), constants.W_OK | constants.X_OK);
    throw error;
  }
}

/** The folder, or the one in which it would be made. */
export async function nearestFolder(folder: string): Promise<string> {
  const is_there = await access(folder).then(
    () => true,
    (error) => !isAbsent(error),
  );
  return is_there || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}
