const FIRST = 5_000;
const LONGEST = 4 * 60 * 60 * 1000;

/**
 * Milliseconds until the next try after `failures` failed ones: doubled each time, up to four hours, less a random
 * part of up to a half, so that what failed together does not come back together. `random` is from 0 to 1.
 */
export function pauseAfter(failures: number, random: number): number {
  const full = Math.min(FIRST * 2 ** (failures - 1), LONGEST);
  return Math.round(full * (1 - random / 2));
}

const OF_REFUSED = 30_000;

/**
 * Milliseconds until the next try of a job that was refused as all of its kind are, by the database or since they are held
 * back: always as long, since the cause may be mended at any time. `random` is from 0 to 1.
 */
export function pauseOfRefused(random: number): number {
  return Math.round(OF_REFUSED * (1 - random / 2));
}
