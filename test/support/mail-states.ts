import type { Database } from '../../shared/db/database.ts';
import { newId } from '../../shared/kernel/id.ts';
import { sendPasswordReset } from '../../shared/platform/mailer/account-mails.ts';

export type MailState = { id: string; status: string; attempts: number; error: string | null };

/** A user of that name, with an address under example.com. */
export async function newUser(database: Database, name: string, locale: 'ja' | 'en' = 'ja'): Promise<string> {
  const now = new Date();
  const id = newId('usr', now);
  await database.withConnection('*', ({ query }) =>
    query(
      `INSERT INTO users (id, name, email, locale, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)`,
      [id, name, `${name}@example.com`, locale, now.toISOString()],
    ),
  );
  return id;
}

/** Asks for a mail to each of so many new users, `<name>-<number>@example.com`; answers the mails' IDs. */
export async function askForMails(database: Database, name: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number++) {
    const user_id = await newUser(database, `${name}-${number}`);
    ids.push(
      await database.withConnection('*', (connection) =>
        sendPasswordReset({ connection, now: new Date() }, user_id),
      ),
    );
  }
  return ids;
}

/** How the mails stand, in the order of the IDs. */
export async function mailStates(database: Database, ids: readonly string[]): Promise<MailState[]> {
  const rows = await database.withConnection('*', ({ query }) =>
    query<MailState>('SELECT id, status, attempts, error FROM mails WHERE id = ANY($1)', [ids]),
  );
  return ids.map((id) => rows.find((row) => row.id === id)!);
}

/** How many rows the outbox holds. */
export async function outboxCount(database: Database): Promise<number> {
  const [row] = await database.withConnection('*', ({ query }) =>
    query<{ count: number }>('SELECT count(*) AS count FROM outbox'),
  );
  return row!.count;
}
