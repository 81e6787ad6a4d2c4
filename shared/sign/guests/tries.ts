/** Wrong codes in a row, and what they led to. `is_locked` with no time: until somebody unlocks the signer. */
export type Tries = { failed_tries: number; is_locked: boolean; locked_until: string | null };

/** A right code, or somebody who unlocks, begins anew. */
export const NO_TRIES: Tries = { failed_tries: 0, is_locked: false, locked_until: null };

/** Wrong codes that lock for a while, and those that lock until somebody unlocks. */
const A_WHILE = 5;
const FOR_GOOD = 15;

const QUARTER_OF_AN_HOUR = 15 * 60_000;

/** Whether no code is taken now, the right one neither. */
export function isLocked({ is_locked, locked_until }: Tries, now: Date): boolean {
  return is_locked || (locked_until !== null && locked_until > now.toISOString());
}

/** The tries after another wrong one, and how many are left before they lock. */
export function afterWrongTry({ failed_tries }: Pick<Tries, 'failed_tries'>, now: Date) {
  const count = failed_tries + 1;
  const is_locked = count >= FOR_GOOD;
  const attempts_left = is_locked ? 0 : (A_WHILE - (count % A_WHILE)) % A_WHILE;
  const until = new Date(now.getTime() + QUARTER_OF_AN_HOUR).toISOString();
  const locked_until = attempts_left === 0 && !is_locked ? until : null;
  return { tries: { failed_tries: count, is_locked, locked_until } satisfies Tries, attempts_left };
}
