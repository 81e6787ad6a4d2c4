import type { Reader } from '../kernel/reader.ts';

/** Runs reads in one snapshot of the database: what several statements answer is of one moment. */
export async function inSnapshot<T>({ connection }: Reader, read: () => Promise<T>): Promise<T> {
  connection.begin();
  const set = connection.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY', [], {
    prepared: false,
  });
  // It travels with the first statement, which fails where it does.
  set.catch(() => undefined);
  try {
    const found = await read();
    await set;
    await connection.commit();
    return found;
  } catch (error) {
    await connection.rollback().catch(() => undefined);
    throw error;
  }
}
