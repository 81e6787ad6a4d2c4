import { chmodSync, statSync } from 'node:fs';

/** An account without rights of its own. */
const NOBODY = 65_534;

/** Lets nobody into the folder during the run: root, whom no folder refuses, acts as an account without rights. */
export async function locked(folder: string, run: () => Promise<void>): Promise<void> {
  const { mode } = statSync(folder);
  const is_root = process.geteuid!() === 0;
  chmodSync(folder, 0);
  if (is_root) process.seteuid!(NOBODY);
  try {
    await run();
  } finally {
    if (is_root) process.seteuid!(0);
    chmodSync(folder, mode);
  }
}
