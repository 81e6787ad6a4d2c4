const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/u;

/** Whether a name is written as in East Asia, where the family's name comes first. */
export function isLastFirst(name: string): boolean {
  return CJK.test(name);
}

/** `山田 太郎` when either name holds CJK letters, else `Taro Yamada`; one name alone as it is, none is empty. */
export function fullName(person: { first_name: string | null; last_name: string | null }): string {
  const { first_name, last_name } = person;
  if (!first_name || !last_name) return first_name || last_name || '';
  const isLastFirst = CJK.test(first_name) || CJK.test(last_name);
  return isLastFirst ? `${last_name} ${first_name}` : `${first_name} ${last_name}`;
}
