const SPECIAL = /[\\\t\r]/;

/** A value as COPY's text form writes it, null as `\N`. */
export function copyValue(value: string | null | undefined): string {
  if (value === null || value === undefined) return '\\N';
  // Line ends alone are what most texts of several lines have.
  if (!SPECIAL.test(value)) return value.includes('\n') ? value.replaceAll('\n', '\\n') : value;
  return value
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('\r', '\\r');
}
