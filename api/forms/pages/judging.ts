import type { CompiledForm } from '../../../shared/forms/answers/compiled.ts';
import { judge } from '../../../shared/forms/answers/judge.ts';
import { replay } from '../../../shared/forms/replay/replay.ts';
import type { Judge } from './flow.ts';
import { given } from './sent.ts';

/**
 * Judges the answers of a form so far. `files` are those that may stand among them, `today` the form's date, `invited` the hidden values of an
 * invitation, which stand above others.
 */
export function judging(
  form: CompiledForm,
  {
    today,
    files,
    invited = {},
  }: Pick<Parameters<typeof judge>[1], 'today' | 'files'> & { invited?: Record<string, string> },
): Judge {
  return ({ answers, hidden }) => {
    const judged = judge(form, { data: given(answers), hidden: { ...hidden, ...invited }, today, files });
    // What is stored leads the same way again.
    const { required_fields } = replay(form.plan, judged.data, judged.hidden);
    return { ...judged, required_fields };
  };
}
