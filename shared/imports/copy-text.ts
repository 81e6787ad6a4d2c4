const SPECIAL = /[\\\t\n\r]/;

/** A value as COPY's text form writes it, null as `\N`. */
export function copyValue(value: string | null | undefined): string {
  if (value === null || value === undefined) return '\\N';
  if (!SPECIAL.test(value)) return value;
  return value
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('\r', '\\r');
}
