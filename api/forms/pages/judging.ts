import type { CompiledForm } from '../../../shared/forms/answers/compiled.ts';
import { judge } from '../../../shared/forms/answers/judge.ts';
import { replay } from '../../../shared/forms/replay/replay.ts';
import type { Judge } from './flow.ts';
import { given } from './sent.ts';

/** Judges the answers of a form so far. `files` are those that may stand among them, `today` the form's date. */
export function judging(
  form: CompiledForm,
  { today, files }: Pick<Parameters<typeof judge>[1], 'today' | 'files'>,
): Judge {
  return ({ answers, hidden }) => {
    const judged = judge(form, { data: given(answers), hidden, today, files });
    // What is stored leads the same way again.
    const { required_fields } = replay(form.plan, judged.data, judged.hidden);
    return { ...judged, required_fields };
  };
}
