import { sameText, type Text } from './language.ts';

/** A sentence as a function of its values, which it puts into their places as they are: IDs, days, numbers. */
export type Sentence = (...values: never[]) => Text;

/** Stands before the number of a value; no sentence holds it. */
const PLACE = '\u001E';

/**
 * What finds a sentence in both languages by its English, which records keep: the values are read from their places. A value
 * that is one of the sentences too is said in its language; what is none of them reads the same in both.
 */
export function translator(sentences: readonly Sentence[]): (english: string) => Text {
  const known = sentences.map((sentence) => ({ sentence, pattern: patternOf(sentence) }));
  return textOf;

  function textOf(english: string): Text {
    for (const { sentence, pattern } of known) {
      const found = pattern.exec(english);
      if (!found) continue;
      return { en: english, ja: filled(sentence, (place) => textOf(found.groups![`value${place}`]!).ja).ja };
    }
    return sameText(english);
  }
}

/** The English of a sentence with a group for each of its values, which stands in it once. */
function patternOf(sentence: Sentence): RegExp {
  const parts = filled(sentence, (place) => `${PLACE}${place}${PLACE}`).en.split(PLACE);
  const source = parts.map((part, index) =>
    index % 2 === 0 ? part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : `(?<value${part}>.+?)`,
  );
  return new RegExp(`^${source.join('')}$`, 's');
}

function filled(sentence: Sentence, valueAt: (place: number) => string): Text {
  const values = Array.from({ length: sentence.length }, (_, place) => valueAt(place));
  return (sentence as unknown as (...values: string[]) => Text)(...values);
}
