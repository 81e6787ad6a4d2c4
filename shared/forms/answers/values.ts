import { turnsLine } from '../../kernel/line-direction.ts';
import { withDividedRuns } from '../../kernel/normal-form.ts';
import { DecimalSource, isStorable } from '../../kernel/schema.ts';
import { plainText } from '../replay/replay.ts';
import { type AnswerFault, sentences, tooLong } from './faults.ts';

/** Whether what was sent is no answer: nothing, an empty list or object, or spaces alone. */
export function isUnanswered(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.length === 0;
  return isParts(value) && Object.keys(value).length === 0;
}

/** Whether it is an object of JSON; a number that JavaScript cannot hold is none. */
export function isParts(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof DecimalSource)
  );
}

/** The text of a number of JSON, as it was sent; null for all else. */
export function numberText(value: unknown): string | null {
  if (value instanceof DecimalSource) return value.text;
  return typeof value === 'number' ? String(value) : null;
}

/** Characters (code points) of a text. */
export function lengthOf(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at += text.codePointAt(at)! > 0xffff ? 2 : 1) length += 1;
  return length;
}

/** A text as it is stored, or its fault: one line has no letters that turn its order. A blank one is empty. */
export function storedText(
  value: unknown,
  {
    is_one_line,
    most = Number.POSITIVE_INFINITY,
    part = '',
  }: { is_one_line: boolean; most?: number; part?: string },
): string | AnswerFault {
  if (typeof value !== 'string') return { part, code: 'wrong_type', message: sentences.not_text };
  if (!isStorable(value)) return { part, code: 'bad_characters', message: sentences.bad_characters };
  if (is_one_line && turnsLine(value)) return { part, code: 'bad_characters', message: sentences.turning };
  const text = plainText(withDividedRuns(value), is_one_line);
  if (text.length > most && lengthOf(text) > most) return { part, code: 'too_long', message: tooLong(most) };
  return text;
}

/** Characters of a name that an error repeats: names nobody asked for may be long. */
const LONGEST_NAME = 100;

/** A step of a JSON pointer to a name that was sent. */
export function pointerStep(name: string): string {
  const shown = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
  return `/${shown.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
