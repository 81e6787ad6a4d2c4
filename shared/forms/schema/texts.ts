import { z } from 'zod';
import { type Language, languages, says, type Text } from '../../kernel/language.ts';
import { isStorable } from '../../kernel/schema.ts';

/** A text of a schema: one for all languages, or one for each of those that it has. */
export type Words = string | Readonly<Partial<Record<Language, string>>>;

/** A text of a schema that is not blank, of at most `longest` code points in each language where that is given. */
export function words(longest = Number.POSITIVE_INFINITY) {
  return z
    .custom<Words>(() => true)
    .superRefine((value, issues) => {
      const fault = (path: string[], code: string, predicate: Text): void =>
        issues.addIssue({ code: 'custom', path, params: { code }, message: says(predicate) });
      const judge = (text: unknown, path: string[]): void => {
        const wrong = faultOfText(text, longest);
        if (wrong) fault(path, ...wrong);
      };
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return judge(value, []);
      const names = Object.keys(value);
      if (names.length === 0) {
        fault([], 'required', { en: 'needs a text in ja or en', ja: 'に ja か en の文を指定してください' });
      }
      for (const name of names) {
        if (languages.includes(name as Language)) judge(value[name as Language], [name]);
        else fault([name], 'unknown_field', { en: 'is not known here', ja: 'は使えない項目です' });
      }
    });
}

/** A text of a schema in both languages: what it has in one alone stands for the other, too. */
export function inBoth(text: Words): Text {
  if (typeof text === 'string') return { en: text, ja: text };
  return { en: text.en ?? text.ja!, ja: text.ja ?? text.en! };
}

function faultOfText(text: unknown, longest: number): [code: string, predicate: Text] | null {
  if (text === undefined) return ['required', { en: 'is required', ja: 'は必須です' }];
  if (typeof text !== 'string') {
    return ['invalid_type', { en: 'must be a text', ja: 'は文字列で指定してください' }];
  }
  if (!isStorable(text)) {
    return [
      'invalid_characters',
      {
        en: 'must not hold NUL characters or unpaired surrogates',
        ja: 'に使えない文字（NULまたは不完全なサロゲート）が含まれています',
      },
    ];
  }
  if (text.trim() === '') return ['required', { en: 'must not be blank', ja: 'を入力してください' }];
  if (text.length > longest && [...text].length > longest) {
    return [
      'too_long',
      { en: `must have ${longest} characters or fewer`, ja: `は${longest}文字以内で入力してください` },
    ];
  }
  return null;
}
