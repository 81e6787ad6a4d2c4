/** Milliseconds without a connection after which a campaign pauses. */
export const UNREACHABLE = 10 * 60_000;

/** Milliseconds until a server is tried again: 1 s, doubling to 60 s. `failures`: how many times in a row it could not be reached. */
export function pauseAfterFailures(failures: number): number {
  return Math.min(1_000 * 2 ** Math.max(0, failures - 1), 60_000);
}

/** Whether a campaign is to pause as the server cannot be reached; `since`: ISO 8601, null while it can. */
export function isUnavailable(
  { is_sign_in_refused, since }: { is_sign_in_refused: boolean; since: string | null },
  now: Date,
): boolean {
  return is_sign_in_refused || (since !== null && now.getTime() - Date.parse(since) >= UNREACHABLE);
}
