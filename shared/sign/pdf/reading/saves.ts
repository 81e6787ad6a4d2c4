/** A word ends at white space and delimiters (ISO 32000-1, 7.2.2). */
const WORD = /[^\s\0()<>[\]{}/%]+/y;
const LINE = /[^\r\n]*/y;
const IMAGE_END = /[\s\0]EI(?=[\s\0]|$)/g;
/** Where a string, a comment or a name begins, or a word that counts: all between them is passed at once. */
const NEXT = /[(%/]|(?<![^\s\0()<>[\]{}/%])(?:q|Q|ID)(?![^\s\0()<>[\]{}/%])/g;

/**
 * How many graphics states are saved after a content stream, by `q`, and not restored, by `Q`; `open` of them before it. Strings,
 * comments, names and the data of inline images hold letters that are no operators. Reads the text once.
 */
export function savesAfter(content: string, open: number): number {
  let saves = open;
  let at = 0;
  const past = (pattern: RegExp, from: number): number => {
    pattern.lastIndex = from;
    return pattern.test(content) ? pattern.lastIndex : content.length;
  };
  for (;;) {
    NEXT.lastIndex = at;
    const found = NEXT.exec(content);
    if (!found) return saves;
    at = NEXT.lastIndex;
    switch (found[0]) {
      case '(':
        at = pastString(content, found.index);
        break;
      case '%':
        at = past(LINE, at);
        break;
      case '/':
        at = pastName(content, at);
        break;
      case 'q':
        saves += 1;
        break;
      case 'Q':
        saves = Math.max(0, saves - 1);
        break;
      default:
        at = past(IMAGE_END, at);
    }
  }
}

function pastName(content: string, from: number): number {
  WORD.lastIndex = from;
  return WORD.test(content) ? WORD.lastIndex : from;
}

function pastString(content: string, from: number): number {
  let depth = 0;
  for (let at = from; at < content.length; at += 1) {
    const character = content[at];
    if (character === '\\') at += 1;
    else if (character === '(') depth += 1;
    else if (character === ')') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return content.length;
}
