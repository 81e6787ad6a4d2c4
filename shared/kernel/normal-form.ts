/**
 * Marks in a row after which a text is divided, unless it is already: more than any script writes on one letter. The two
 * marks of half-width kana become such marks.
 */
const LONG_RUN = /[[\p{M}\uff9e\uff9f]--\u034f]{30}(?!\u034f)/gv;

/** A mark that nothing is moved across and that is not seen: COMBINING GRAPHEME JOINER. */
const DIVIDER = '\u034f';

/**
 * A text in a normal form of Unicode, in time linear in its length. By itself `normalize` sorts the marks of each letter
 * by moving every one past those before it, which takes seconds for ten thousand marks. So runs of marks are divided
 * first, after each 30, as the Stream-Safe Text Format does (https://unicode.org/reports/tr15/#Stream_Safe_Text_Format).
 */
export function normalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return withDividedRuns(text).normalize(form);
}

/** A text that `normalize` takes linear time for. */
export function withDividedRuns(text: string): string {
  return text.length < 30 ? text : text.replace(LONG_RUN, `$&${DIVIDER}`);
}
