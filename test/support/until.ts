import { setTimeout as pause } from 'node:timers/promises';

/** Waits until the answer is not false, null or undefined; fails, saying what it waited for, after `limit` ms. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  limit = 120_000,
): Promise<Exclude<T, false | null | undefined>> {
  const end = Date.now() + limit;
  for (;;) {
    const found = await look();
    if (found !== false && found !== null && found !== undefined) {
      return found as Exclude<T, false | null | undefined>;
    }
    if (Date.now() > end) throw new Error(`Waited in vain: ${what}`);
    await pause(10);
  }
}
