import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';

/** Milliseconds by which a process's clock and the database's may differ. */
export const MOST_DIFFERENCE = 60_000;

/** Milliseconds by which this process's clock is ahead of the database's; negative when it is behind. */
export async function clockDifference(database: Database, clock: () => Date): Promise<number> {
  const before = clock().getTime();
  const [row] = await database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query<{ now: string }>('SELECT clock_timestamp() AS now'),
  );
  return Math.round((before + clock().getTime()) / 2 - Date.parse(row!.now));
}

/** Whether the clock is too far off: sessions, limits, what is due and what is swept are judged by it. */
export function isClockWrong(difference: number): boolean {
  return Math.abs(difference) > MOST_DIFFERENCE;
}

/** `The clock of this process is 10 minutes ahead of the database's`, from milliseconds. */
export function clockWords(difference: number): string {
  const seconds = Math.round(Math.abs(difference) / 1000);
  const length = seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
  return `The clock of this process is ${length} ${difference > 0 ? 'ahead of' : 'behind'} the database's`;
}
