/** Spreadsheets take a cell for a formula that begins with one of these, before they look at its type. */
const LIKE_FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;

const GUARDED = /^'+[=+\-@\t\r＝＋－＠]/;

/**
 * A text cell for a file that a spreadsheet opens: an apostrophe before what it would run as a formula. One is also
 * put before text that has one there already, so that `unguardFormula` gives every text back as it was.
 */
export function guardFormula(text: string): string {
  return LIKE_FORMULA.test(text) ? `'${text}` : text;
}

/** The cell without the apostrophe that `guardFormula` put before it. */
export function unguardFormula(text: string): string {
  return text.charCodeAt(0) === 0x27 && GUARDED.test(text) ? text.slice(1) : text;
}
