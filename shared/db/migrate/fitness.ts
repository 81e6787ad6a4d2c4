import type pg from 'pg';
import { StartupError } from '../../kernel/startup-error.ts';

/** The least PostgreSQL as `server_version_num` has it: the migrations and statements are tried with 15 and 18. */
const LEAST_VERSION = 150_000;

/** Refuses a server older than PostgreSQL 15. `server_version_num` is its setting of that name, such as 150018. */
export function refuseOld(server_version_num: number): void {
  if (server_version_num >= LEAST_VERSION) return;
  throw new StartupError(
    `The server of DATABASE_URL is PostgreSQL ${Math.floor(server_version_num / 10_000)}: PostgreSQL 15 or newer is needed.`,
  );
}

/**
 * Refuses a server that is too old, and a database that would lose text or find nothing: an encoding other than UTF8, or an lc_ctype to which
 * Japanese letters are not letters, so that the search index of every Japanese name is empty.
 */
export async function refuseUnfit(client: pg.Client): Promise<void> {
  const { rows: versions } = await client.query<{ version: number }>(
    `SELECT current_setting('server_version_num')::integer AS version`,
  );
  refuseOld(versions[0]?.version ?? 0);
  const { rows } = await client.query<{ encoding: string; lc_ctype: string }>(
    `SELECT pg_encoding_to_char(encoding) AS encoding, datctype AS lc_ctype FROM pg_database WHERE datname = current_database()`,
  );
  const { encoding, lc_ctype } = rows[0] ?? { encoding: '', lc_ctype: '' };
  if (encoding !== 'UTF8') {
    throw new StartupError(
      `The database of DATABASE_URL has the encoding ${encoding}: make one with ENCODING 'UTF8' and LOCALE 'C.UTF-8'.`,
    );
  }
  if (!(await knowsJapanese(client))) {
    throw new StartupError(
      `The database of DATABASE_URL has the lc_ctype ${lc_ctype}, which cannot tell Japanese letters: make one with LOCALE 'C.UTF-8' and LOCALE_PROVIDER libc.`,
    );
  }
}

/** Tried in a transaction that leaves nothing behind: the extension is the first migration's to make. */
async function knowsJapanese(client: pg.Client): Promise<boolean> {
  await client.query('BEGIN');
  try {
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    const { rows } = await client.query<{ pieces: string[] }>(`SELECT show_trgm('田中') AS pieces`);
    return (rows[0]?.pieces.length ?? 0) > 0;
  } catch (error) {
    throw new StartupError(
      `The database of DATABASE_URL cannot have the extension pg_trgm: ${(error as Error).message}.`,
    );
  } finally {
    await client.query('ROLLBACK');
  }
}
