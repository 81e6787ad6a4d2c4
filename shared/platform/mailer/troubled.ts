import type { Connection } from '../../kernel/connection.ts';
import type { MailStatus } from './record.ts';

export type MailTrouble = {
  id: string;
  organization_id: string;
  purpose: string;
  status: MailStatus;
  attempts: number;
  created_at: string;
  updated_at: string;
  error: string | null;
};

/** Of one status: `failed`, `unknown`, or `queued`, which then means refused for now and waiting. */
export type TroubleStatus = 'failed' | 'unknown' | 'queued';

const COLUMNS = 'id, organization_id, purpose, status, attempts, created_at, updated_at, error';

/** For operators, of all organizations: a window of the mails that failed, are unknown, or were refused for now; newest first. */
export async function troubledMails(
  connection: Connection,
  { status, limit, offset }: { status?: TroubleStatus | undefined; limit: number; offset: number },
): Promise<{ rows: MailTrouble[]; total: number }> {
  const condition = `(status IN ('failed', 'unknown') OR (status = 'queued' AND error IS NOT NULL))
    AND ($1::text IS NULL OR status = $1)`;
  const rows = await connection.query<MailTrouble>(
    `SELECT ${COLUMNS} FROM mails WHERE ${condition} ORDER BY id DESC LIMIT $2 OFFSET $3`,
    [status ?? null, limit, offset],
  );
  const [count] = await connection.query<{ total: number }>(
    `SELECT count(*)::integer AS total FROM mails WHERE ${condition}`,
    [status ?? null],
  );
  return { rows, total: count?.total ?? 0 };
}

/** One mail that did not simply leave; null for any other. */
export async function troubledMail(
  connection: Connection,
  { organization_id, id }: { organization_id: string; id: string },
): Promise<MailTrouble | null> {
  const [mail] = await connection.query<MailTrouble>(
    `SELECT ${COLUMNS} FROM mails WHERE organization_id = $1 AND id = $2
       AND (status IN ('failed', 'unknown') OR (status = 'queued' AND error IS NOT NULL))`,
    [organization_id, id],
  );
  return mail ?? null;
}

/** Those of the named mails that can be sent again, failed or of unknown fate, the newest first. */
export async function lostMails(connection: Connection, ids: readonly string[]): Promise<MailTrouble[]> {
  return connection.query<MailTrouble>(
    `SELECT ${COLUMNS} FROM mails WHERE id = ANY($1) AND status IN ('failed', 'unknown') ORDER BY id DESC`,
    [ids],
  );
}

/** The mails that failed for good, the newest first. */
export async function failedMailIds(connection: Connection, limit: number): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    "SELECT id FROM mails WHERE status = 'failed' ORDER BY id DESC LIMIT $1",
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** How many mails there are in each status but `sent`. */
export async function mailCounts(
  connection: Connection,
): Promise<Record<Exclude<MailStatus, 'sent'>, number>> {
  const rows = await connection.query<{ status: Exclude<MailStatus, 'sent'>; count: number }>(
    "SELECT status, count(*)::integer AS count FROM mails WHERE status <> 'sent' GROUP BY status",
  );
  const counts = { queued: 0, sending: 0, failed: 0, unknown: 0 };
  for (const { status, count } of rows) counts[status] = count;
  return counts;
}

/** How many mails failed, or were lost sight of, since then. */
export async function lostMailsSince(connection: Connection, since: Date): Promise<number> {
  const [row] = await connection.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM mails WHERE status IN ('failed', 'unknown') AND updated_at > $1`,
    [since.toISOString()],
  );
  return row?.count ?? 0;
}
