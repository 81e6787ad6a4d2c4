import type { Plan } from '../../../shared/forms/replay/replay.ts';
import type { Schema } from '../../../shared/forms/schema/schema.ts';
import { type Step, stepAfter, stepBefore, stepsReached } from '../../../shared/forms/steps/steps.ts';
import type { FieldError } from '../../../shared/kernel/failure.ts';
import type { Language } from '../../../shared/kernel/language.ts';
import type { View } from '../../pages/kit/page.ts';
import type { Judge } from './flow.ts';
import { framed, type Look } from './frame.ts';
import type { AttachedFile } from './inputs/filling.ts';
import type { Answers } from './read.ts';
import { type StepShown, stepView } from './step-view.ts';
import { textIn } from './texts.ts';
import { words } from './words.ts';

/** A form that is being filled in: by which schema, for whom, and what its end does. */
export type Filled = Pick<StepShown, 'action' | 'sent' | 'guard' | 'may_save' | 'end' | 'note'> & {
  language: Language;
  schema: Schema;
  title: string;
  look: Omit<Look, 'schema'>;
  plan: Plan;
  judge: Judge;
  /** Whether it is for one person, whose invitation opened it. */
  is_invited?: boolean;
  /** The parameters that the link to the other language keeps. */
  kept?: Record<string, string>;
};

/** What is shown of it: a step with the answers up to it. */
export type Shown = {
  step: Step;
  answers: Answers;
  hidden: Record<string, string>;
  files: readonly AttachedFile[];
  errors?: readonly FieldError[];
  /** A sentence above everything, and the status of the answer, where something was wrong. */
  told?: string;
  status?: number;
};

/** The title of a form in a language: its schema's, else its own. */
export function titleOf(schema: Schema, title: string, language: Language): string {
  return schema.title === undefined ? title : textIn(schema.title, language);
}

/** The step that comes first with these answers. */
export function firstStep(
  { schema, judge }: Pick<Filled, 'schema' | 'judge'>,
  riding: Pick<Shown, 'answers' | 'hidden'>,
): Step {
  return stepsReached(schema.pages, judge(riding))[0]!;
}

/** A step as a page. One with faults has status 422, and says so in its title. */
export function showStep(filled: Filled, shown: Shown): View {
  const { language, schema, look, kept } = filled;
  const { step, answers, hidden, files, errors = [], told = null, status } = shown;
  const reached = filled.judge({ answers, hidden });
  const steps = stepsReached(schema.pages, reached);
  const title = titleOf(schema, filled.title, language);
  const body = stepView({
    ...filled,
    step,
    answers,
    hidden,
    files,
    title,
    reached,
    stored: reached,
    errors,
    told,
    required_fields: new Set(reached.required_fields),
    is_first: stepBefore(steps, step) === null,
    is_last: stepAfter(steps, step) === null,
  });
  const isWrong = errors.length > 0;
  const view: View = {
    title: isWrong ? words[language].error + title : title,
    body,
    language,
    status: status ?? (isWrong ? 422 : 200),
    ...(kept && { kept }),
    ...(filled.is_invited && { is_indexed: false }),
  };
  return framed({ ...look, schema }, view);
}
