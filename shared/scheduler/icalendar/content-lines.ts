/** The longest line, in octets without its line end (RFC 5545 3.1). */
const LONGEST = 75;

/** The lines of a text, folded and ended as RFC 5545 3.1 says: CRLF, 75 octets at most, no character cut in two. */
export function contentLines(lines: readonly string[]): string {
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** A line in pieces of at most 75 octets, each but the first behind a space, which counts. */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= LONGEST) return line;
  let text = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > LONGEST) {
      text += '\r\n ';
      octets = 1;
    }
    text += character;
    octets += size;
  }
  return text;
}

/** What some reader takes for the end of a line. */
const LINE_ENDS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/gu;

/** Characters that no value may hold (RFC 5545 3.1), and halves of characters, which UTF-8 has no bytes for. */
const FORBIDDEN = /[\p{Cc}\p{Cs}]/gu;

/** A value of the type TEXT (RFC 5545 3.3.11): a line end in it becomes `\n`, and never one of the file. */
export function textValue(text: string): string {
  return text
    .replace(LINE_ENDS, '\n')
    .replace(/[\\;,]/gu, '\\$&')
    .split('\n')
    .map((line) => line.replaceAll('\t', ' ').replace(FORBIDDEN, ''))
    .join('\\n');
}

/**
 * The value of a parameter in quotation marks, which it cannot hold itself (RFC 5545 3.2). Some readers take a backslash
 * before the last of them for an escape that parameters do not have.
 */
export function quotedParameter(text: string): string {
  const line = text.replace(LINE_ENDS, ' ').replaceAll('\t', ' ').replace(FORBIDDEN, '');
  return `"${line.replaceAll('"', "'").replaceAll('\\', '/')}"`;
}

/** An instant in UTC (RFC 5545 3.3.5, form 2), cut to the second: `20270115T013000Z`. */
export function instantValue(instant: string): string {
  return `${new Date(instant).toISOString().slice(0, 19).replaceAll(/[-:]/gu, '')}Z`;
}

/** What stands in an address as it is (RFC 6068 2); other characters are percent-encoded. */
const IN_ADDRESS = /[^A-Za-z0-9.!$&'*+/=?^_`{|}~@-]/gu;

/** The address of an e-mail as a URI (RFC 6068). */
export function mailtoValue(address: string): string {
  return `mailto:${address.toWellFormed().replace(IN_ADDRESS, encodeURIComponent)}`;
}
