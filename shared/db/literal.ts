import pg from 'pg';

/**
 * A value as it stands in SQL where no parameter can: without a type, as a parameter has none, so that its place gives it
 * one. Throws for kinds of value that no query of ours has.
 */
export function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (Buffer.isBuffer(value)) return pg.escapeLiteral(`\\x${value.toString('hex')}`);
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(element).join(',')}}`);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return pg.escapeLiteral(String(value));
  }
  throw new Error(`A list's query holds a value of a kind that has no literal: ${typeof value}`);
}

function element(value: unknown): string {
  return `"${String(value).replace(/["\\]/g, '\\$&')}"`;
}

/**
 * The COPY that sends the rows of a statement as CSV. COPY takes no parameters, so values stand in it as literals, which
 * PostgreSQL takes by the type of their place as it does parameters. `form` says how it is written.
 */
export function copyOf(
  { text, values }: { text: string; values: readonly unknown[] },
  form = 'FORMAT csv',
): string {
  const written = text.replace(/\$(\d+)/g, (_, place: string) => literal(values[Number(place) - 1]));
  return `COPY (${written}) TO STDOUT (${form})`;
}
