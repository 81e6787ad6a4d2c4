import {
  fieldsOf,
  type Reached,
  type Step,
  type StepPage,
  stepAfter,
  stepBefore,
  stepsReached,
} from '../../../shared/forms/steps/steps.ts';
import type { FieldError } from '../../../shared/kernel/failure.ts';
import { placeOfError } from './faults.ts';
import type { Sent } from './sent.ts';

/** Answers as they are judged, as far as they go; `data` and `hidden` as they would be stored. */
export type JudgedSoFar = Reached & {
  required_fields: readonly string[];
  errors: readonly FieldError[];
  ending_id: string | null;
  data: Record<string, unknown>;
  hidden: Record<string, string>;
};

/** Judges answers, by the function that judges every submission. */
export type Judge = (riding: Pick<Sent, 'answers' | 'hidden'>) => JudgedSoFar;

/** Where a step that was sent leads: another one, the same with its faults, or the end. */
export type Move = { to: 'step'; step: Step; errors: readonly FieldError[] } | { to: 'end' };

/**
 * Where to go from a step. Of a step that leads on all faults of its fields are told, and of no others: they have not been asked
 * yet. `refused` has what is wrong with its files.
 */
export function moveFrom(
  pages: readonly StepPage[],
  { step, answers, hidden, action }: Sent,
  judge: Judge,
  refused: readonly FieldError[],
): Move {
  const judged = judge({ answers, hidden });
  const steps = stepsReached(pages, judged);
  if (action === 'back') {
    return { to: 'step', step: stepBefore(steps, step) ?? steps[0]!, errors: [] };
  }
  const errors = [...refused, ...judged.errors].filter(isOf(pages, step));
  if (errors.length > 0) return { to: 'step', step, errors };
  const next = stepAfter(steps, step);
  return next === null ? { to: 'end' } : { to: 'step', step: next, errors: [] };
}

/** The first step of those reached that has one of the faults, and its own; null where none has. */
export function stepWith(
  pages: readonly StepPage[],
  reached: Reached,
  errors: readonly FieldError[],
): { step: Step; errors: readonly FieldError[] } | null {
  for (const step of stepsReached(pages, reached)) {
    const own = errors.filter(isOf(pages, step));
    if (own.length > 0) return { step, errors: own };
  }
  return null;
}

/**
 * Where somebody stopped who saved these answers: at the first step with something wrong, of those that were answered or left empty, else at
 * the last of them.
 */
export function stepStoppedAt(
  pages: readonly StepPage[],
  judged: Reached & Pick<JudgedSoFar, 'errors'>,
  answers: Sent['answers'],
): Step {
  const steps = stepsReached(pages, judged);
  const last = steps.findLastIndex((step) =>
    fieldsOf(pages, step).some(({ id }) => Object.hasOwn(answers, id)),
  );
  const been = steps.slice(0, Math.max(last, 0) + 1);
  return been.find((step) => judged.errors.some(isOf(pages, step))) ?? been.at(-1)!;
}

function isOf(pages: readonly StepPage[], step: Step): (error: FieldError) => boolean {
  const ids = new Set(fieldsOf(pages, step).map(({ id }) => id));
  return (error) => ids.has(placeOfError(error)?.field_id ?? '');
}
