import type { Language } from '../../kernel/language.ts';

/** A text of a schema: one for all languages, or one for each of those that it has. */
type Words = string | Readonly<Partial<Record<Language, string>>>;

type Option = { id: string; label: Words };

/** What of a field is needed to tell its answer in words. */
export type ToldField = {
  id: string;
  type: string;
  label: Words;
  text?: Words;
  options?: readonly Option[];
  rows?: readonly Option[];
  columns?: readonly Option[];
};

type Schema = { locale: Language; pages: readonly { fields: readonly ToldField[] }[] };

/** The fields of a published schema by their IDs, in its order. */
export function toldFields(schema_json: string): Map<string, ToldField> {
  const { pages } = JSON.parse(schema_json) as Schema;
  return new Map(pages.flatMap(({ fields }) => fields).map((field) => [field.id, field]));
}

/** The language that a published schema is written in first. */
export function languageOfSchema(schema_json: string): Language {
  return (JSON.parse(schema_json) as Schema).locale;
}

/** A text of a schema in a language, or in the other one where it has that alone. */
export function inLanguage(words: Words, language: Language): string {
  if (typeof words === 'string') return words;
  return words[language] ?? words[language === 'ja' ? 'en' : 'ja'] ?? '';
}
