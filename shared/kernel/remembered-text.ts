/** By what they follow from, the least recently used first: nearly every write has the same ones. */
const texts = new Map<string, string>();
const MOST_TEXTS = 1000;

/** The text of a statement, made once for each key; of many keys the ones not used for long are made again. */
export function rememberedText(key: string, make: () => string): string {
  const text = texts.get(key) ?? make();
  texts.delete(key);
  texts.set(key, text);
  if (texts.size > MOST_TEXTS) texts.delete(texts.keys().next().value!);
  return text;
}
