import { failureStatus, type Refusal } from '../bounces/classify.ts';

/** So many refusals of one code and status in a row are about the sender, not about the recipients. */
export const MOST_IN_A_ROW = 20;

/** The same refusals that came in a row: which, and how many; null after any other answer. */
export type Row = { answer: string; count: number } | null;

/** A refusal as it is counted and remembered: its code and its enhanced status. */
export function answerOf({ code, text }: Pick<Refusal, 'code' | 'text'>): string {
  return [code, failureStatus(text)].filter((part) => part !== null).join(' ');
}

/** The row after an answer; `refusal`: null where it was none for good. */
export function rowAfter(before: Row, refusal: Refusal | null): Row {
  if (!refusal || refusal.code < 500) return null;
  const answer = answerOf(refusal);
  return { answer, count: before?.answer === answer ? before.count + 1 : 1 };
}

/** Whether a row says that the server refuses this sender; `counted`: answers that count as usual, since somebody resumed after them. */
export function showRefusedSender(row: Row, counted: readonly string[]): boolean {
  return row !== null && row.count >= MOST_IN_A_ROW && !counted.includes(ignoredAnswer(row.answer));
}

/** How a campaign remembers, among the limits that hold no more for it, an answer that counts as usual. */
export function ignoredAnswer(answer: string): string {
  return `refused ${answer}`;
}
