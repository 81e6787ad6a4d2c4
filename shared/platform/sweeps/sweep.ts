import type { Database } from '../../db/database.ts';
import type { Text } from '../../kernel/language.ts';

/** Work that time asks for, found by looking at dated rows: nothing is lost when a look is missed. */
export type Sweep = {
  name: string;
  /** What it is for, as operators read it at /ops/schedules. */
  description: Text;
  /** Milliseconds from one start to the next. */
  every: number;
  /** Does what is due at `now` and answers how much that was. Safe to run twice. */
  run: (database: Database, now: Date, signal: AbortSignal) => Promise<number>;
};
