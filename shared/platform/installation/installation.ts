import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { transaction } from '../../db/transaction.ts';
import type { Connection } from '../../kernel/connection.ts';
import { newId } from '../../kernel/id.ts';

/** How this installation stands to the one whose backup it was restored from. */
export type InstallationState = {
  /** Null before the first start, and after a restore until a process draws a new one. */
  id: string | null;
  /** Whether the database was restored and no operator has said yet what it is. */
  is_undecided: boolean;
};

/** The ID of this installation; null where none was drawn since the database was made or restored. */
export async function currentInstallation(connection: Connection): Promise<string | null> {
  const [row] = await connection.query<{ id: string | null }>('SELECT current_installation() AS id');
  return row?.id ?? null;
}

/** What operators are shown, and what mails wait for. */
export async function installationState(connection: Connection): Promise<InstallationState> {
  const [row] = await connection.query<InstallationState>(
    `SELECT current.id, COALESCE(
       CASE WHEN current.id IS NULL THEN true ELSE latest.decision = 'undecided' END
         AND latest.decision IS NOT NULL, false) AS is_undecided
     FROM (SELECT current_installation() AS id) AS current
     LEFT JOIN (SELECT decision FROM installations ORDER BY number DESC LIMIT 1) AS latest ON true`,
  );
  return row!;
}

/** The ID of this installation, drawn now where there is none yet. Any number of processes may ask at a time. */
export async function ensureInstallation(database: Database, now: Date): Promise<string> {
  return database.withConnection(EVERY_ORGANIZATION, async (connection) => {
    const known = await currentInstallation(connection);
    if (known !== null) return known;
    return transaction(connection, async (commit) => {
      await lockInstallations(connection);
      const id = (await currentInstallation(connection)) ?? (await drawInstallation(connection, now));
      await commit(Promise.resolve());
      return id;
    });
  });
}

/** Until the transaction ends no other process draws an ID or decides. Taken before any row is written. */
export async function lockInstallations(connection: Connection): Promise<void> {
  await connection.query("SELECT pg_advisory_xact_lock(hashtextextended('installations', 0))");
}

/**
 * Draws an ID under `lockInstallations`. The first one is that of an original; each later one belongs to a restored
 * database, whose mails wait until an operator has decided (shared/platform/installation/decision.ts), and
 * whose list of worker processes, those of the original, is emptied.
 */
export async function drawInstallation(connection: Connection, now: Date): Promise<string> {
  const id = newId('inst', now);
  const drawn_at = now.toISOString();
  const [drawn] = await connection.query<{ decision: string }>(
    `INSERT INTO installations (number, id, mark, decision, drawn_at)
     SELECT COALESCE(max(number), 0) + 1, $1, database_mark(),
       CASE WHEN max(number) IS NULL THEN 'original' ELSE 'undecided' END, $2
     FROM installations RETURNING decision`,
    [id, drawn_at],
  );
  if (drawn?.decision === 'undecided') {
    await connection.query(
      "INSERT INTO queue_pauses (queue, paused_at) VALUES ('email', $1) ON CONFLICT DO NOTHING",
      [drawn_at],
    );
    // The backup lists the original's processes. One that works here writes its row again with its next beat; a row that
    // is locked is written by one right now, and waiting for it could end in a deadlock.
    await connection.query(
      `DELETE FROM worker_processes
       WHERE id IN (SELECT id FROM worker_processes FOR UPDATE SKIP LOCKED)`,
    );
  }
  return id;
}
