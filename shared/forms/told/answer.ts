import type { Language } from '../../kernel/language.ts';
import { inLanguage, type ToldField } from './fields.ts';

type Options = NonNullable<ToldField['options']>;

const YES_NO = { ja: ['はい', 'いいえ'], en: ['Yes', 'No'] };

/** Several parts of one answer stand beside each other. */
const SEPARATOR = { ja: '、', en: ', ' };

/** The parts of an address in the order of each language's letters. */
const ADDRESS = {
  ja: ['postal_code', 'prefecture', 'city', 'address_line', 'building'],
  en: ['building', 'address_line', 'city', 'prefecture', 'postal_code'],
};

/**
 * A stored answer as people read it: options by their labels, yes and no in words. Of files their names, which `file_names`
 * has by their IDs.
 */
export function answerText(
  field: ToldField,
  answer: unknown,
  language: Language,
  file_names: ReadonlyMap<string, string> = new Map(),
): string {
  switch (field.type) {
    case 'choice':
    case 'dropdown':
      return chosen(field.options ?? [], answer, language);
    case 'multi_choice':
    case 'ranking':
      return allOf(answer)
        .map((one) => chosen(field.options ?? [], one, language))
        .join(SEPARATOR[language]);
    case 'yes_no':
    case 'consent':
      return YES_NO[language][answer === true ? 0 : 1]!;
    case 'matrix':
      return matrixText(field, answer as Record<string, unknown>, language);
    case 'name':
      return nameText(answer as Record<string, string>, language);
    case 'address':
      return addressText(answer as Record<string, string>, language);
    case 'file':
      return allOf(answer)
        .map((id) => file_names.get(String(id)) ?? String(id))
        .join(SEPARATOR[language]);
    default:
      return String(answer);
  }
}

/** The label of an option, or what was written in the place of one. */
export function chosen(options: Options, answer: unknown, language: Language): string {
  if (typeof answer === 'object' && answer !== null && 'other' in answer) return String(answer.other);
  const option = options.find(({ id }) => id === answer);
  return option ? inLanguage(option.label, language) : String(answer);
}

function allOf(answer: unknown): unknown[] {
  return Array.isArray(answer) ? answer : [answer];
}

function matrixText(
  { rows = [], columns = [] }: ToldField,
  answer: Record<string, unknown>,
  language: Language,
): string {
  const answered = rows.filter(({ id }) => answer[id] !== undefined);
  const lines = answered.map(({ id, label }) => {
    const labels = allOf(answer[id]).map((one) => chosen(columns, one, language));
    return `${inLanguage(label, language)}: ${labels.join(SEPARATOR[language])}`;
  });
  return lines.join('\n');
}

function nameText(
  { last_name, first_name, last_name_kana, first_name_kana }: Record<string, string>,
  language: Language,
): string {
  const name = language === 'ja' ? [last_name, first_name] : [first_name, last_name];
  const kana = [last_name_kana, first_name_kana].filter(Boolean).join(' ');
  const whole = name.filter(Boolean).join(' ');
  if (kana === '') return whole;
  return language === 'ja' ? `${whole}（${kana}）` : `${whole} (${kana})`;
}

function addressText(answer: Record<string, string>, language: Language): string {
  const parts = ADDRESS[language].map((part) => answer[part]).filter(Boolean);
  return parts.join(language === 'ja' ? ' ' : ', ');
}
