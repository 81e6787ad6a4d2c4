import { createHook } from 'node:async_hooks';

/** Counts the password hashes that are computed meanwhile. */
export async function countHashes<T>(run: () => Promise<T>): Promise<{ reply: T; hashes: number }> {
  let hashes = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'SCRYPTREQUEST') hashes++;
    },
  }).enable();
  const reply = await run();
  hook.disable();
  return { reply, hashes };
}
