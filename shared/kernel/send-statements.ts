import type { Connection } from './connection.ts';
import { SharedText } from './shared-json-text.ts';
import type { Statement } from './statement.ts';

/**
 * Sends all without waiting between; the first error decides, the others only say that the transaction is aborted. A
 * value that JSON cannot hold is thrown at once, before anything is sent: the driver would skip the statement, and a
 * COMMIT that follows would commit the others.
 */
export function sendStatements(
  connection: Connection,
  statements: readonly Statement[],
  isEnd: boolean,
): Promise<void> {
  const alone = isEnd && statements.length === 1;
  const ready = statements.map((statement) => ({ ...statement, values: statement.values.map(plain) }));
  const sent = ready.map(({ text, values, planned_anew }) =>
    connection.query(text, values, { alone, prepared: !planned_anew }),
  );
  for (const one of sent) one.catch(() => undefined);
  return allOf(sent);
}

async function allOf(sent: readonly Promise<unknown>[]): Promise<void> {
  for (const one of sent) await one;
}

/** A value as the driver sends it unchanged, but for lists, times and bytes. */
function plain(value: unknown): unknown {
  if (value instanceof SharedText) return value.text;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value) || ArrayBuffer.isView(value) || value instanceof Date) return value;
  return JSON.stringify(value);
}
