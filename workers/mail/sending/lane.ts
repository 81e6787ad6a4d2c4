import type { Dialogue } from '../../../shared/mail/sending/outcomes.ts';
import type { Letter } from './dialogue.ts';

/**
 * A recipient that was marked, with its mail. Milliseconds: it begins at `begins_at` at the earliest, and after the last one that
 * this process began of each scope with a limit a second as long as `spacings` says, also where that began late.
 */
export type Marked = {
  number: number;
  message_id: string;
  attempts: number;
  next_attempt_at: string | null;
  domain: string;
  /** `changed_at` of the speed by which it has its place; null where its domain was not held back. */
  placed_by: number | null;
  begins_at: number;
  spacings: Readonly<Record<string, number>>;
  letter: Letter;
};

/** A dialogue that ended. */
export type Answered = { marked: Marked; dialogue: Dialogue };

/** What one slice has in hand: mails that wait for a connection, that are under way, and that were answered. */
export type Lane = {
  add(marked: readonly Marked[]): void;
  /** The recipients in hand, those whose answers were not taken yet among them. */
  numbers(): number[];
  /** The mails whose dialogue has not begun, taken out. */
  withdraw(): Marked[];
  /** What was answered since it was asked, in the order of the answers. */
  takeAnswers(): Answered[];
  readonly waiting: number;
  readonly under_way: number;
  readonly answers: number;
  /** Resolves when so much was answered, when nothing waits, or after so many milliseconds. */
  changed(answers: number, most: number): Promise<void>;
};

/** A lane as connections serve it. */
export type ServedLane = Lane & {
  /** Milliseconds at which the first mail may begin; null where none waits. */
  readonly due_at: number | null;
  /** Takes the first mail: its dialogue begins now. */
  begin(now: number): Marked;
  end(marked: Marked, dialogue: Dialogue): void;
  /** Puts a mail back that was lost ahead of its text, behind the others: what breaks the line is often that one alone. */
  putBack(marked: Marked): void;
};

/** An empty lane; `woken` is called when mails were added. `begun_at`: when the last mail of a scope began, of all lanes. */
export function newLane(woken: () => void, begun_at: Map<string, number>): ServedLane {
  const waiting: Marked[] = [];
  let answered: Answered[] = [];
  const begun = new Set<number>();
  let told = () => {};
  let enough = 0;

  function tell(): void {
    if (answered.length >= enough || waiting.length === 0) told();
  }

  return {
    add: (marked) => {
      waiting.push(...marked);
      woken();
    },
    numbers: () => [
      ...waiting.map(({ number }) => number),
      ...begun,
      ...answered.map(({ marked }) => marked.number),
    ],
    withdraw: () => waiting.splice(0),
    takeAnswers: () => {
      const taken = answered;
      answered = [];
      return taken;
    },
    get waiting() {
      return waiting.length;
    },
    get under_way() {
      return begun.size;
    },
    get answers() {
      return answered.length;
    },
    changed: async (answers, most) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, most);
      enough = Math.max(1, answers);
      told = resolve;
      if (answered.length >= enough) resolve();
      await promise;
      clearTimeout(timer);
      told = () => {};
    },
    get due_at() {
      const [first] = waiting;
      if (!first) return null;
      const after = Object.entries(first.spacings).map(([scope, gap]) => (begun_at.get(scope) ?? 0) + gap);
      return Math.max(first.begins_at, ...after);
    },
    begin: (now) => {
      const first = waiting.shift()!;
      for (const scope of Object.keys(first.spacings)) begun_at.set(scope, now);
      begun.add(first.number);
      return first;
    },
    end: (marked, dialogue) => {
      begun.delete(marked.number);
      answered.push({ marked, dialogue });
      tell();
    },
    putBack: (marked) => {
      begun.delete(marked.number);
      waiting.push(marked);
    },
  };
}
