import { z } from 'zod';
import { type FieldError, invalidAll } from '../../kernel/failure.ts';
import { joined, sameText, type Text } from '../../kernel/language.ts';
import { turning, turnsLine } from '../../kernel/line-direction.ts';
import { email } from '../../kernel/schema.ts';
import type { Question } from '../event-types/questions.ts';
import type { Answers, AnswerValue } from './record.ts';

/** Letters of an answer. */
const LONGEST = { short_text: 500, long_text: 5_000, phone: 50 } as const;

/** What is wrong with an answer; null: nothing. */
type Fault = { code: string; message: Text } | null;

const required: Fault = {
  code: 'required',
  message: { en: 'must be answered', ja: 'は必ず入力してください' },
};
const wrongType = (en: string, ja: string): Fault => ({ code: 'invalid_type', message: { en, ja } });

/**
 * Sees that answers fit the questions, and leaves out empty ones. Errors: `validation_failed` at `/answers/<id>` for a missing
 * answer, an unknown question or choice, and what is no e-mail, date or number.
 */
export function checkedAnswers(questions: readonly Question[], answers: Answers): Answers {
  const errors: FieldError[] = [];
  const refuse = (id: string, label: string, { code, message }: NonNullable<Fault>) =>
    errors.push({
      in: 'body',
      path: `/answers/${id}`,
      code,
      message: joined([sameText(label), message], ' '),
    });
  const known = new Set(questions.map(({ id }) => id));
  for (const id of Object.keys(answers).filter((each) => !known.has(each))) {
    refuse(id, id, {
      code: 'unknown_field',
      message: { en: 'is no question of the event type', ja: 'という質問はありません' },
    });
  }
  const kept: Answers = {};
  for (const question of questions) {
    const value = Object.hasOwn(answers, question.id) ? answers[question.id] : undefined;
    const isEmpty = value === undefined || isBlank(value);
    const fault = isEmpty ? (question.required ? required : null) : faultOf(question, value);
    if (fault) refuse(question.id, question.label, fault);
    else if (!isEmpty) kept[question.id] = value;
  }
  if (errors.length > 0) throw invalidAll(errors);
  return kept;
}

function isBlank(value: AnswerValue): boolean {
  return Array.isArray(value) ? value.length === 0 : typeof value === 'string' && value.trim() === '';
}

function faultOf({ type, options }: Question, value: AnswerValue): Fault {
  switch (type) {
    case 'short_text':
    case 'long_text':
    case 'phone':
      return textFault(value, LONGEST[type], type !== 'long_text');
    case 'email':
      return matches(email(), value)
        ? null
        : {
            code: 'invalid_format',
            message: { en: 'must be an e-mail address', ja: 'はメールアドレスの形式で入力してください' },
          };
    case 'date':
      return matches(z.iso.date(), value)
        ? null
        : {
            code: 'invalid_format',
            message: { en: 'must be a day as YYYY-MM-DD', ja: 'は YYYY-MM-DD 形式の日付で入力してください' },
          };
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
        ? null
        : wrongType('must be a number', 'は数値で入力してください');
    case 'yes_no':
      return typeof value === 'boolean'
        ? null
        : wrongType('must be true or false', 'は true か false で指定してください');
    case 'single_choice':
      return choiceFault([value], options);
    case 'multi_choice':
      return Array.isArray(value)
        ? choiceFault(value, options)
        : wrongType('must be a list of choices', 'は選択肢の配列で指定してください');
  }
}

function textFault(value: AnswerValue, longest: number, is_one_line: boolean): Fault {
  if (typeof value !== 'string') return wrongType('must be a text', 'は文字列で入力してください');
  if (is_one_line && turnsLine(value)) return { code: 'invalid_characters', message: turning };
  if (value.length <= longest) return null;
  return {
    code: 'too_long',
    message: {
      en: `must have at most ${longest} characters`,
      ja: `は${longest}文字以内で入力してください`,
    },
  };
}

function choiceFault(values: readonly unknown[], options: readonly string[]): Fault {
  const isOnce = new Set(values).size === values.length;
  if (isOnce && values.every((value) => typeof value === 'string' && options.includes(value))) return null;
  return {
    code: 'invalid_value',
    message: { en: 'must be one of the choices', ja: 'は選択肢の中から選んでください' },
  };
}

function matches(schema: z.ZodType, value: AnswerValue): boolean {
  return schema.safeParse(value).success;
}
