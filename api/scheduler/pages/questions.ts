import type { Language } from '../../../shared/kernel/language.ts';
import type { Field, Option } from '../../pages/kit/fields.ts';
import type { Form } from '../../pages/kit/page.ts';
import { words } from './words.ts';

/** A question of an event type, as its record has it. */
export type Question = {
  id: string;
  label: string;
  type:
    | 'short_text'
    | 'long_text'
    | 'email'
    | 'phone'
    | 'number'
    | 'date'
    | 'single_choice'
    | 'multi_choice'
    | 'yes_no';
  required: boolean;
  options: readonly string[];
};

type Answer = string | number | boolean | string[];

const LINES = {
  short_text: 'text',
  long_text: 'long',
  email: 'email',
  phone: 'tel',
  number: 'number',
  date: 'date',
} as const;

/** The name of the field of a question. Names of other fields have no hyphen. */
export function fieldName({ id }: Pick<Question, 'id'>): string {
  return `answer-${id}`;
}

/** The fields of questions, in their order. */
export function questionFields(questions: readonly Question[], language: Language): Field[] {
  const say = words[language];
  return questions.map((question) => {
    const { label, type, required, options } = question;
    const field = {
      name: fieldName(question),
      label: required ? label : say.optional(label),
      autocomplete: 'off',
      optional: !required,
    };
    if (type === 'single_choice') return { ...field, type: 'one', options: options.map(asOption) };
    if (type === 'multi_choice')
      return { ...field, type: 'several', options: options.map(asOption), hint: say.several_hint };
    if (type === 'yes_no') {
      const both = [
        { value: 'yes', label: say.yes },
        { value: 'no', label: say.no },
      ];
      return { ...field, type: 'one', options: both };
    }
    return { ...field, type: LINES[type] };
  });
}

function asOption(option: string): Option {
  return { value: option, label: option };
}

/** The answers that a form sent, by the IDs of their questions. What was left empty is not there. */
export function answersOf(questions: readonly Question[], form: Form): Record<string, Answer> {
  const answers = questions.map((question) => [question.id, answerOf(question, form)] as const);
  return Object.fromEntries(answers.filter((each): each is [string, Answer] => each[1] !== null));
}

function answerOf(question: Question, form: Form): Answer | null {
  const name = fieldName(question);
  if (question.type === 'multi_choice') {
    const chosen = form.all(name);
    return chosen.length > 0 ? chosen : null;
  }
  // Browsers send the lines of a long text with a carriage return.
  const text = form.get(name).replaceAll('\r\n', '\n').trim();
  if (text === '') return null;
  if (question.type === 'yes_no') return text === 'yes';
  // What is not a number goes on as it is, so that the call refuses it.
  return question.type === 'number' && Number.isFinite(Number(text)) ? Number(text) : text;
}
