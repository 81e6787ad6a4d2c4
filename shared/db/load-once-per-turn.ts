import { batcherPerKey } from '../kernel/batch.ts';
import type { Reader } from '../kernel/reader.ts';

type Load<Value> = (reader: Reader, keys: string[]) => Promise<Map<string, Value>>;

/** `isPrivate`: the transaction of the reader that loaded had begun, so that others may not use what it saw. */
type Answer<Value> = { value: Value | undefined; isPrivate: boolean };

/**
 * Looks up by key for many requests at once: those of an organization that ask in one turn of the event loop share a
 * statement of the first of them. Each answer is as fresh as its request, since the statement is sent after it. A
 * transaction that has begun may see what others do not, so it looks up for itself; so do the others where the
 * first one fails.
 */
export function loadOncePerTurn<Value>(load: Load<Value>) {
  const ask = batcherPerKey<{ reader: Reader; key: string }, Answer<Value>>(
    async (asked) => {
      const { reader } = asked[0]!;
      const hasBegun = reader.connection.hasBegun();
      const found = await load(reader, [...new Set(asked.map(({ key }) => key))]);
      return asked.map(({ key }, place) => ({ value: found.get(key), isPrivate: hasBegun && place > 0 }));
    },
    { start: 'turn', failure: 'first' },
  );

  return async (reader: Reader, key: string): Promise<Value | undefined> => {
    const { connection, organization_id } = reader;
    if (!connection.hasBegun()) {
      const { value, isPrivate } = await ask(connection.pool, organization_id, { reader, key });
      if (!isPrivate) return value;
    }
    return (await load(reader, [key])).get(key);
  };
}
