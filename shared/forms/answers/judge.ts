import { type FieldError, MOST_FIELD_ERRORS } from '../../kernel/failure.ts';
import { holds, replay } from '../replay/replay.ts';
import type { Field } from '../schema/schema.ts';
import { inBoth } from '../schema/texts.ts';
import type { CompiledForm } from './compiled.ts';
import { type Answer, type AnswerFault, missing, sentences } from './faults.ts';
import type { Reading } from './reads.ts';
import { isParts, isUnanswered, pointerStep, storedText } from './values.ts';

/** What is judged: answers and hidden values as they were sent, and what they are read with. */
export type Submitted = Reading & {
  data: Readonly<Record<string, unknown>>;
  hidden: Readonly<Record<string, unknown>>;
};

export type Judged = {
  /** The answers as they are stored, in the form's order; whole only where there are no errors. */
  data: Record<string, Answer>;
  hidden: Record<string, string>;
  /** Everything that is wrong: at `/data/<field>` and deeper, or `/hidden/<name>`. Empty where the answers can be stored. */
  errors: FieldError[];
  visible_fields: string[];
  /** Fields with an answer that was left out because they are not shown. */
  dropped_fields: string[];
  /** The pages that are shown, in their order. */
  path: string[];
  ending_id: string | null;
  /** Exact decimals in shortest form. */
  scores: Record<string, string>;
};

/** What each answer is, whatever the others are: as stored, or with its faults. Fields without an answer are in neither. */
export type ReadAnswers = { given: Map<string, Answer>; faults: Map<string, AnswerFault[]> };

/** Characters of a hidden value. */
const LONGEST_HIDDEN = 255;

/**
 * Judges answers by the one rule of all paths: unknown names, each answer by its type, the replay from the first page, what
 * is needed of what is shown, and the scores. An answer with a fault counts as unanswered.
 */
export function judge(form: CompiledForm, submitted: Submitted): Judged {
  const { given, faults } = readAnswers(form, submitted);
  const hidden = readHidden(form, submitted.hidden);
  const answers = Object.fromEntries(given);
  const { path, visible_fields, required_fields, ending_id, seen } = replay(
    form.plan,
    answers,
    hidden.values,
  );
  const required = new Set(required_fields);
  const visible = new Set(visible_fields);
  const shown = visible_fields.map((id) => form.fields.get(id)!.field);
  const errors = shown.flatMap((field) => {
    const wrong = faults.get(field.id) ?? [];
    const missing = required.has(field.id)
      ? missingOf(field, given.has(field.id), wrong, submitted.data)
      : [];
    return [...wrong, ...missing].map((fault) => fieldError(field, fault));
  });
  const stored = visible_fields.filter((id) => given.has(id));
  const dropped = [...form.fields.keys()].filter(
    (id) => (given.has(id) || faults.has(id)) && !visible.has(id),
  );
  return {
    data: Object.fromEntries(stored.map((id) => [id, given.get(id)!])),
    hidden: hidden.values,
    errors: [...unknownNames(form, submitted.data), ...hidden.errors, ...errors],
    visible_fields,
    dropped_fields: dropped,
    path,
    ending_id,
    scores: scoresOf(form, seen),
  };
}

/** Reads each answer by its field's type (steps 3 and 4). */
export function readAnswers(
  { fields }: CompiledForm,
  { data, today, files }: Reading & Pick<Submitted, 'data'>,
): ReadAnswers {
  const given = new Map<string, Answer>();
  const faults = new Map<string, AnswerFault[]>();
  for (const [id, { reads }] of fields) {
    if (!reads || !Object.hasOwn(data, id) || isUnanswered(data[id])) continue;
    const read = reads(data[id], { today, files });
    if (read === null) continue;
    if ('answer' in read) given.set(id, read.answer);
    else faults.set(id, read.faults);
  }
  return { given, faults };
}

/** What a shown field lacks that needs an answer, besides what is wrong; of a matrix each row that has none. */
function missingOf(
  field: Field,
  is_answered: boolean,
  wrong: readonly AnswerFault[],
  data: Submitted['data'],
): AnswerFault[] {
  const fault = (part: string): AnswerFault => ({ part, code: 'required', message: missing(field.type) });
  if (!is_answered && wrong.length === 0) return [fault('')];
  const sent = data[field.id];
  if (field.type !== 'matrix' || !isParts(sent)) return [];
  return field.rows
    .filter(({ id }) => !Object.hasOwn(sent, id) || isUnanswered(sent[id]))
    .map(({ id }) => fault(`/${id}`));
}

/** A fault as the API tells it. The field's own message stands for every fault's. */
export function fieldError({ id, message: own }: Field, { part, code, message }: AnswerFault): FieldError {
  return { in: 'body', path: `/data/${id}${part}`, code, message: own === undefined ? message : inBoth(own) };
}

/** A fault for each name among the answers that is no field with an answer. */
export function unknownNames({ fields }: CompiledForm, data: Submitted['data']): FieldError[] {
  return Object.keys(data)
    .filter((name) => !fields.get(name)?.reads)
    .slice(0, MOST_FIELD_ERRORS)
    .map((name) => unknownName('data', name));
}

/** The hidden values as they are stored, and what is wrong with them. */
export function readHidden(
  { schema }: CompiledForm,
  sent: Submitted['hidden'],
): { values: Record<string, string>; errors: FieldError[] } {
  const names = schema.hidden ?? [];
  const values: Record<string, string> = {};
  const errors = Object.keys(sent)
    .filter((name) => !names.includes(name))
    .slice(0, MOST_FIELD_ERRORS)
    .map((name) => unknownName('hidden', name));
  for (const name of names) {
    if (!Object.hasOwn(sent, name) || isUnanswered(sent[name])) continue;
    const text = storedText(sent[name], { is_one_line: false, most: LONGEST_HIDDEN });
    if (typeof text === 'string') values[name] = text;
    else errors.push({ in: 'body', path: `/hidden/${name}`, code: text.code, message: text.message });
  }
  return { values, errors };
}

function unknownName(place: 'data' | 'hidden', name: string): FieldError {
  const path = `/${place}${pointerStep(name)}`;
  return { in: 'body', path, code: 'unknown_field', message: sentences.unknown_field };
}

function scoresOf({ scores }: CompiledForm, seen: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    scores.map(({ name, initial, add }) => {
      const added = add.filter((each) => holds(each.if, seen));
      return [name, added.reduce((sum, { value }) => sum.plus(value), initial).toFixed()];
    }),
  );
}
