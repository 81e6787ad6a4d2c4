import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import type { Sentence } from '../../kernel/sentences.ts';

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

/** What a clock that is off is told by. */
export const clockSentences = {
  seconds_ahead: (seconds: number) => ({
    en: `The clock of this process is ${seconds} seconds ahead of the database's`,
    ja: `このプロセスの時計が、データベースの時計より${seconds}秒進んでいます`,
  }),
  minutes_ahead: (minutes: number) => ({
    en: `The clock of this process is ${minutes} minutes ahead of the database's`,
    ja: `このプロセスの時計が、データベースの時計より${minutes}分進んでいます`,
  }),
  seconds_behind: (seconds: number) => ({
    en: `The clock of this process is ${seconds} seconds behind the database's`,
    ja: `このプロセスの時計が、データベースの時計より${seconds}秒遅れています`,
  }),
  minutes_behind: (minutes: number) => ({
    en: `The clock of this process is ${minutes} minutes behind the database's`,
    ja: `このプロセスの時計が、データベースの時計より${minutes}分遅れています`,
  }),
} satisfies Record<string, Sentence>;

/** `The clock of this process is 10 minutes ahead of the database's`, from milliseconds; logs keep the English. */
export function clockWords(difference: number): string {
  const seconds = Math.round(Math.abs(difference) / 1000);
  const { seconds_ahead, minutes_ahead, seconds_behind, minutes_behind } = clockSentences;
  if (seconds < 120) return (difference > 0 ? seconds_ahead : seconds_behind)(seconds).en;
  return (difference > 0 ? minutes_ahead : minutes_behind)(Math.round(seconds / 60)).en;
}
