import type { Refusal } from '../../../shared/mail/bounces/classify.ts';
import type { Outcome } from '../../../shared/mail/sending/outcomes.ts';
import { isOfSender, outcomeOf } from '../../../shared/mail/sending/outcomes.ts';
import {
  answerOf,
  ignoredAnswer,
  type Row,
  rowAfter,
  showRefusedSender,
} from '../../../shared/mail/sending/refusals.ts';
import { type Held, IN_A_ROW, type Settlement } from '../../../shared/mail/sending/settle.ts';
import type { Answered } from './lane.ts';

/** What a group of answers comes to. */
export type Judged = {
  settlements: Settlement[];
  /** Refusals of before that are bounces, as another answer came. */
  bounced: Held[];
  /** What the server says of the sender; null: nothing. */
  refused_sender: { answer: string | null } | null;
};

/**
 * Judges answers in their order. Refusals in a row are held, in `held`, until another answer says that they are about the recipients:
 * until then their recipients have failed and bounced nobody.
 */
export class Judge {
  #row: Row;
  #held: Held[];
  #refused: Judged['refused_sender'] = null;
  readonly #ignored: readonly string[];

  constructor(held: readonly Held[], ignored: readonly string[]) {
    this.#held = [...held];
    this.#ignored = ignored;
    const [first] = held;
    this.#row = first ? { answer: first.answer, count: held.length } : null;
    if (showRefusedSender(this.#row, ignored)) this.#refused = { answer: this.#row!.answer };
  }

  judge(answers: readonly Answered[], now: Date): Judged {
    const bounced: Held[] = [];
    const settled = new Map<number, Settlement>();
    for (const { marked, dialogue } of answers) {
      const { number, attempts, next_attempt_at } = marked;
      const outcome = outcomeOf(dialogue, { attempts, next_attempt_at, now });
      const settlement = { number, outcome, message_id: marked.message_id, at: now.toISOString() };
      const refusal = dialogue.kind === 'refused' ? dialogue : null;
      if (refusal && isOfSender(refusal)) this.#refused ??= { answer: null };
      if (this.#refused) {
        settled.set(
          number,
          refusal && outcome.status === 'failed' ? { ...settlement, outcome: before(outcome) } : settlement,
        );
        continue;
      }
      const counted = refusal && this.#isCounted(refusal) ? refusal : null;
      const row = rowAfter(this.#row, counted);
      if (row === null || row.count === 1) bounced.push(...this.#held.splice(0));
      this.#row = row;
      if (row === null) {
        settled.set(number, settlement);
        continue;
      }
      this.#held.push({ number, answer: row.answer, bounce: outcome.bounce!, at: settlement.at });
      settled.set(number, { ...settlement, outcome: { ...outcome, reason: IN_A_ROW, bounce: null } });
      if (showRefusedSender(row, this.#ignored)) this.#refused = { answer: row.answer };
    }
    return { settlements: [...settled.values()], bounced, refused_sender: this.#refused };
  }

  /** Refusals that are still held; they are bounces where nothing more is sent. */
  takeHeld(): Held[] {
    this.#row = null;
    return this.#held.splice(0);
  }

  #isCounted(refusal: Refusal): boolean {
    return !isOfSender(refusal) && !this.#ignored.includes(ignoredAnswer(answerOf(refusal)));
  }
}

/** A refusal that is about the sender leaves its recipient as it was. */
function before(outcome: Outcome): Outcome {
  return { ...outcome, status: 'queued', reason: null, attempts: outcome.attempts - 1, bounce: null };
}
