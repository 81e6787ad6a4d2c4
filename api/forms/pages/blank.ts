import type { Schema } from '../../../shared/forms/schema/schema.ts';
import { type Reached, type Step, stepName } from '../../../shared/forms/steps/steps.ts';
import type { Language } from '../../../shared/kernel/language.ts';

/** What the fields of a step are made of. */
type Asked = {
  schema: Schema;
  language: Language;
  step: Step;
  reached: Reached;
  required_fields: ReadonlySet<string>;
  answers: object;
  stored: { data: object; hidden: object };
  errors: readonly unknown[];
  files: readonly unknown[];
  guard: object | null;
};

/** The HTML of the fields of a step, and what the script decides by. */
type Made = { fields: string; conditions: string };

/** Forms whose empty steps are kept, and how many of one: two languages, and what hidden values of an address change. */
const MOST_FORMS = 50;
const MOST_STEPS = 4;

/** Letters of a step that is kept: more are made each time. */
const MOST_LETTERS = 128 * 1024;

const kept = new Map<Schema, Map<string, Made>>();

/**
 * The fields of a step: where nothing was entered and nothing is wrong they are the same for all who open it, and made once for the
 * forms that were opened last. A form is kept by its schema, which is that of the version that the request read.
 */
export function blankOnce(shown: Asked, make: () => Made): Made {
  if (!isBlank(shown)) return make();
  const { schema, language, step, reached, required_fields } = shown;
  const steps = kept.get(schema) ?? new Map<string, Made>();
  kept.delete(schema);
  kept.set(schema, steps);
  if (kept.size > MOST_FORMS) kept.delete(kept.keys().next().value!);
  const key = [language, stepName(step), reached.visible_fields, [...required_fields]].join(' ');
  const known = steps.get(key);
  if (known) return known;
  const made = make();
  if (made.fields.length + made.conditions.length > MOST_LETTERS) return made;
  steps.set(key, made);
  if (steps.size > MOST_STEPS) steps.delete(steps.keys().next().value!);
  return made;
}

function isBlank({ answers, stored, errors, files, guard }: Asked): boolean {
  const nothing = [answers, stored.data, stored.hidden].every((each) => Object.keys(each).length === 0);
  // A form that nobody fills in to submit it is a working copy, and another one each time.
  return guard !== null && nothing && errors.length === 0 && files.length === 0;
}
