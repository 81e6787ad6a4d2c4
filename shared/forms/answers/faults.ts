import type { Text } from '../../kernel/language.ts';
import type { Field } from '../schema/schema.ts';

/** Codes of what is wrong with an answer. Of one value the first of this list is reported. */
export type AnswerFaultCode =
  | 'wrong_type'
  | 'bad_characters'
  | 'invalid_format'
  | 'unknown_option'
  | 'unknown_file'
  | 'too_short'
  | 'too_long'
  | 'too_few'
  | 'too_many'
  | 'out_of_range'
  | 'unknown_field'
  | 'required';

/** A fault of an answer: where within it (`''` for the whole, `/last_name`, `/0`), what, and what is said to who answers. */
export type AnswerFault = { part: string; code: AnswerFaultCode; message: Text };

/** An answer as it is stored, its faults, or null where there is none. */
export type Read = { answer: Answer } | { faults: AnswerFault[] } | null;

export type Answer = string | number | boolean | AnswerList | AnswerParts;
export type AnswerList = readonly (string | { other: string })[];
export type AnswerParts = Readonly<Record<string, string | readonly string[]>>;

/** The one fault of a value. */
export function wrong(code: AnswerFaultCode, message: Text, part = ''): { faults: AnswerFault[] } {
  return { faults: [{ part, code, message }] };
}

export const sentences = {
  required: { en: 'Please answer this', ja: '入力してください' },
  unknown_field: { en: 'The form does not ask this', ja: 'このフォームにない項目です' },
  bad_characters: {
    en: 'It holds characters that cannot be stored',
    ja: '保存できない文字が含まれています',
  },
  turning: {
    en: 'It holds hidden characters that turn the direction of writing. Type it anew instead of pasting it',
    ja: '文字の並び順を変える見えない文字が含まれています。貼り付けずに入力し直してください',
  },
  not_text: { en: 'This must be a text', ja: '文字列で入力してください' },
  not_list: { en: 'This must be a list', ja: '配列で指定してください' },
  not_parts: {
    en: 'This must be an object with its parts',
    ja: '各部分を持つオブジェクトで指定してください',
  },
  unknown_option: { en: 'Choose from the options', ja: '選択肢から選んでください' },
  repeated: { en: 'Choose each one once', ja: '同じものは1回だけ選んでください' },
} as const satisfies Record<string, Text>;

export function tooShort(least: number): Text {
  return { en: `Enter ${least} characters or more`, ja: `${least}文字以上で入力してください` };
}

export function tooLong(most: number): Text {
  return { en: `Enter ${most} characters or fewer`, ja: `${most}文字以内で入力してください` };
}

export function tooFew(least: number): Text {
  return { en: `Choose ${least} or more`, ja: `${least}個以上選んでください` };
}

export function tooMany(most: number): Text {
  return { en: `Choose ${most} or fewer`, ja: `${most}個以内で選んでください` };
}

/** What a field is told that needs an answer and has none: people tick, choose and agree, they do not type everything. */
export function missing(type: Field['type']): Text {
  if (type === 'consent') return { en: 'Please agree to this', ja: '同意が必要です' };
  if (type === 'file') return { en: 'Please choose a file', ja: 'ファイルを選択してください' };
  return CHOSEN.has(type) ? { en: 'Please choose', ja: '選択してください' } : sentences.required;
}

const CHOSEN: ReadonlySet<Field['type']> = new Set([
  'choice',
  'dropdown',
  'multi_choice',
  'yes_no',
  'rating',
  'nps',
  'scale',
  'matrix',
  'ranking',
]);

/** Between two bounds of days or times, of which one may be missing. */
export function outsideDays(least: string | undefined, most: string | undefined): Text {
  if (least === undefined) return { en: `Enter ${most} or earlier`, ja: `${most}以前で入力してください` };
  if (most === undefined) return { en: `Enter ${least} or later`, ja: `${least}以降で入力してください` };
  return { en: `Enter ${least} to ${most}`, ja: `${least}から${most}までで入力してください` };
}

/** Between two bounds, of which one may be missing. */
export function outOfRange(least: string | number | undefined, most: string | number | undefined): Text {
  if (least === undefined) return { en: `Enter ${most} or less`, ja: `${most}以下で入力してください` };
  if (most === undefined) return { en: `Enter ${least} or more`, ja: `${least}以上で入力してください` };
  return { en: `Enter ${least} to ${most}`, ja: `${least}から${most}の範囲で入力してください` };
}
