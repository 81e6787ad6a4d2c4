/** The languages that people are spoken to in. */
export const languages = ['ja', 'en'] as const;

export type Language = (typeof languages)[number];

/** A sentence or a name in every language: where one is written, the type asks for the others. */
export type Text = Readonly<Record<Language, string>>;

/** What reads the same in every language: IDs, names that people gave, words of the API. */
export function sameText(text: string): Text {
  return { en: text, ja: text };
}

/** One text from several, each language for itself: `joined([a, b], ': ')`. */
export function joined(texts: readonly Text[], between: string): Text {
  return {
    en: texts.map(({ en }) => en).join(between),
    ja: texts.map(({ ja }) => ja).join(between),
  };
}

/** A character that no sentence holds, between the two languages of one message. */
const SEPARATOR = '\u001E';

/**
 * The message of a schema's rule in both languages. Zod keeps messages as plain strings, so both travel in one, which
 * `textOfMessage` takes apart. Each is a predicate, which the name of the field comes before: `must not hold commas`,
 * `にカンマは使えません`.
 */
export function says({ en, ja }: Text): string {
  return `${en}${SEPARATOR}${ja}`;
}

/** The text of a message that was made by `says`; null for the sentences of the library. */
export function textOfMessage(message: string): Text | null {
  const [en, ja] = message.split(SEPARATOR);
  return en && ja ? { en, ja } : null;
}

/** The English of a message, for logs and commands. */
export function englishOf(message: string): string {
  return textOfMessage(message)?.en ?? message;
}
