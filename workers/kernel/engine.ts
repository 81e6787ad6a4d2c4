import { type Database, EVERY_ORGANIZATION } from '../../shared/db/database.ts';

/**
 * The mark of the engine into which this installation's tickets were put last; null at first, and after a restore: what
 * the original put there is not there for its copy.
 */
export async function engineOf(database: Database): Promise<string | null> {
  const [row] = await database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query<{ engine_mark: string | null }>(
      'SELECT engine_mark FROM installations WHERE id = current_installation()',
    ),
  );
  return row?.engine_mark ?? null;
}

/** Writes that the engine with this mark holds every ticket. */
export async function rememberEngine(database: Database, mark: string): Promise<void> {
  await database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query('UPDATE installations SET engine_mark = $1 WHERE id = current_installation()', [mark]),
  );
}
