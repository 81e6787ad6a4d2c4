import { setTimeout as pause } from 'node:timers/promises';
import { isTransient } from '../../shared/db/constraint.ts';

/**
 * Waits until the answer is not false, null or undefined; fails, saying what it waited for, after `limit` ms. What is in
 * memory is looked at every 10 ms. What has to be asked for (a query, a request) costs others processor time: the longer
 * it is waited for, and the longer an answer takes, the more rarely, up to every 100 ms. A statement of the look that
 * PostgreSQL ended because of a deadlock is tried again, as the service's transactions are.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  limit = 120_000,
): Promise<Exclude<T, false | null | undefined>> {
  const begun = Date.now();
  for (;;) {
    const asked_at = Date.now();
    const answer = look();
    const found = await unlessOvertaken(answer);
    if (found !== false && found !== null && found !== undefined) {
      return found as Exclude<T, false | null | undefined>;
    }
    const now = Date.now();
    if (now > begun + limit) throw new Error(`Waited in vain: ${what}`);
    const rarely = Math.max((now - begun) / 20, (now - asked_at) * 4);
    await pause(answer instanceof Promise ? Math.min(Math.max(rarely, 10), 100) : 10);
  }
}

async function unlessOvertaken<T>(answer: T | Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isTransient(error)) return undefined;
    throw error;
  }
}
