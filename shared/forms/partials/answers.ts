import { type FieldError, invalidAll } from '../../kernel/failure.ts';
import { DecimalSource, isStorable } from '../../kernel/schema.ts';
import type { CompiledForm } from '../answers/compiled.ts';
import { sentences } from '../answers/faults.ts';
import { readHidden, unknownNames } from '../answers/judge.ts';
import type { SentAnswers } from '../responses/judging.ts';

/** Answers and hidden values as they are saved. */
export type SavedAnswers = { data: Record<string, unknown>; hidden: Record<string, string> };

/**
 * Answers as they are saved: any value by the name of a field, since only the submission judges them. Numbers that JavaScript
 * does not hold exactly become their text. Errors: `validation_failed` for names that the form does not have, and for letters
 * that no text may hold.
 */
export function savedAnswers(form: CompiledForm, { data, hidden }: SentAnswers): SavedAnswers {
  const read = readHidden(form, hidden);
  const unstorable = Object.entries(data)
    .filter(([, answer]) => !textsIn(answer).every(isStorable))
    .map(([name]) => badCharacters(name));
  const errors = [...unknownNames(form, data), ...unstorable, ...read.errors];
  if (errors.length > 0) throw invalidAll(errors);
  const saved = Object.entries(data).map(([name, answer]) => [name, saveable(answer)]);
  return { data: Object.fromEntries(saved), hidden: read.values };
}

/** Every text within an answer, the names of its parts too. */
export function textsIn(answer: unknown): string[] {
  if (typeof answer === 'string') return [answer];
  if (typeof answer !== 'object' || answer === null) return [];
  return Object.entries(answer).flatMap(([name, part]) => [name, ...textsIn(part)]);
}

function saveable(answer: unknown): unknown {
  if (answer instanceof DecimalSource) return answer.text;
  if (Array.isArray(answer)) return answer.map(saveable);
  if (typeof answer !== 'object' || answer === null) return answer;
  return Object.fromEntries(Object.entries(answer).map(([name, part]) => [name, saveable(part)]));
}

function badCharacters(name: string): FieldError {
  return { in: 'body', path: `/data/${name}`, code: 'bad_characters', message: sentences.bad_characters };
}
