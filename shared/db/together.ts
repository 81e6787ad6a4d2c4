import type { Reader } from '../kernel/reader.ts';

type Load<Value> = (reader: Reader, keys: string[]) => Promise<Map<string, Value>>;

/** Who asks in one turn of the event loop, for what; `is_private` when what was found is for the first one alone. */
type Turn<Value> = { keys: Set<string>; is_private: boolean; found: Promise<Map<string, Value>> };

/**
 * Looks up by key for many requests at once: those of an organization that ask in one turn of the event loop share a
 * statement of the first of them. Each answer is as fresh as its request, since the statement is sent after it. A
 * transaction that has begun may see what others do not, so it looks up for itself; so do the others where the first
 * one breaks off.
 */
export function lookUpTogether<Value>(load: Load<Value>) {
  const pools = new WeakMap<object, Map<string, Turn<Value>>>();

  function turnOf(reader: Reader): { turn: Turn<Value>; isFirst: boolean } {
    const { connection, organization_id } = reader;
    const turns = pools.get(connection.pool) ?? new Map<string, Turn<Value>>();
    pools.set(connection.pool, turns);
    const open = turns.get(organization_id);
    if (open) return { turn: open, isFirst: false };
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    setImmediate(resolve);
    const turn: Turn<Value> = {
      keys: new Set(),
      is_private: false,
      found: ended.then(() => {
        turns.delete(organization_id);
        turn.is_private = connection.hasBegun();
        return load(reader, [...turn.keys]);
      }),
    };
    turns.set(organization_id, turn);
    return { turn, isFirst: true };
  }

  return async (reader: Reader, key: string): Promise<Value | undefined> => {
    const forItself = async () => (await load(reader, [key])).get(key);
    if (reader.connection.hasBegun()) return forItself();
    const { turn, isFirst } = turnOf(reader);
    turn.keys.add(key);
    if (isFirst) return (await turn.found).get(key);
    const found = await turn.found.catch(() => null);
    return found && !turn.is_private ? found.get(key) : forItself();
  };
}
