import type { Field, Schema } from '../../../shared/forms/schema/schema.ts';
import { fieldsOf, type Step, stepNamed } from '../../../shared/forms/steps/steps.ts';
import { Failure } from '../../../shared/kernel/failure.ts';
import { requireFewValues } from '../../http/json.ts';
import type { Form, Visit } from '../../pages/kit/page.ts';
import { type Answers, answersIn } from './read.ts';

/** What a step sent: where it stands, all answers up to it, and which way is to go. */
export type Sent = {
  step: Step;
  answers: Answers;
  hidden: Record<string, string>;
  action: 'next' | 'back' | 'save';
};

/** Values of a hidden field have at most so many characters. */
const LONGEST_HIDDEN = 255;

/**
 * Reads a step that was sent. What rode along is not trusted: it is judged with everything else at the end. A step that the
 * form has not is its first.
 */
export function sentIn(form: Form, schema: Schema): Sent {
  const first: Step = { page_id: schema.pages[0]!.id, segment: 0 };
  const step = stepNamed(schema.pages, form.get('step'));
  const riding = knownIn(objectIn(form.get('answers')), schema);
  const here = step === null ? {} : answersIn(form, fieldsOf<Field>(schema.pages, step));
  const action = form.get('action');
  return {
    step: step ?? first,
    answers: { ...riding, ...here },
    hidden: hiddenOf(objectIn(form.get('hidden')), schema),
    action: action === 'back' || action === 'save' ? action : 'next',
  };
}

/** The answers to fields that the schema has. */
export function knownIn(answers: Answers, schema: Schema): Answers {
  const ids = new Set(schema.pages.flatMap(({ fields }) => fields.map(({ id }) => id)));
  return Object.fromEntries(Object.entries(answers).filter(([id]) => ids.has(id)));
}

/** The answers without those that were left empty. */
export function given(answers: Answers): Answers {
  return Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== null));
}

/** What the address of a form fills in: its hidden names, and fields of text and choice. Other parameters are ignored. */
export function filledBy({ query }: Pick<Visit, 'query'>, schema: Schema): Pick<Sent, 'answers' | 'hidden'> {
  const fields = schema.pages.flatMap((page): readonly Field[] => page.fields);
  const answers = fields.filter(isFillable).map(({ id }) => [id, query(id)] as const);
  const named = Object.fromEntries((schema.hidden ?? []).map((name) => [name, query(name)]));
  return {
    answers: Object.fromEntries(answers.filter(([, value]) => value !== '')),
    hidden: hiddenOf(named, schema),
  };
}

const FILLABLE = new Set(['short_text', 'long_text', 'email', 'phone', 'url', 'choice', 'dropdown']);

function isFillable({ type }: Field): boolean {
  return FILLABLE.has(type);
}

/** The values of hidden names that the schema has. */
export function hiddenOf(values: Record<string, unknown>, { hidden = [] }: Schema): Record<string, string> {
  const named = hidden.map((name) => [name, Object.hasOwn(values, name) ? values[name] : ''] as const);
  const texts = named.filter(
    (each): each is [string, string] => typeof each[1] === 'string' && each[1] !== '',
  );
  return Object.fromEntries(texts.map(([name, text]) => [name, text.slice(0, LONGEST_HIDDEN)]));
}

/** What rode along as a body of the API may have it; nothing where it is not JSON. Errors: `too_many_values`. */
function objectIn(text: string): Record<string, unknown> {
  try {
    requireFewValues(text);
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch (error) {
    if (error instanceof Failure && error.code === 'too_many_values') throw error;
    return {};
  }
}
