const SPECIAL = /[\\\t\n\r]/;
const ALL_SPECIAL = /[\\\t\n\r]/g;

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** A value as COPY's text form writes it, null as `\N`. */
export function copyValue(value: string | null | undefined): string {
  if (value === null || value === undefined) return '\\N';
  return SPECIAL.test(value) ? value.replace(ALL_SPECIAL, (letter) => ESCAPES[letter]!) : value;
}
