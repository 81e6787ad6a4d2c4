import { type Database, EVERY_ORGANIZATION } from '../../shared/db/database.ts';

/** The mark of the engine into which tickets were put last; null at first. */
export async function engineOf(database: Database): Promise<string | null> {
  const [row] = await database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query<{ mark: string }>('SELECT mark FROM queue_engine'),
  );
  return row?.mark ?? null;
}

/** Says that the engine with this mark holds every ticket. */
export async function rememberEngine(database: Database, mark: string): Promise<void> {
  await database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query('INSERT INTO queue_engine (mark) VALUES ($1) ON CONFLICT (single) DO UPDATE SET mark = $1', [mark]),
  );
}
