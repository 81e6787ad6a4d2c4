import type { Connection } from '../kernel/connection.ts';
import type { MailStatus } from './record.ts';

export type MailTrouble = {
  id: string;
  organization_id: string;
  purpose: string;
  status: MailStatus;
  attempts: number;
  updated_at: string;
  error: string | null;
};

/** Of all organizations, for operators: mails that failed, of which nobody knows, or that were refused for now; newest first. */
export function troubledMails(connection: Connection, limit: number): Promise<MailTrouble[]> {
  return connection.query<MailTrouble>(
    `SELECT id, organization_id, purpose, status, attempts, updated_at, error FROM mails
     WHERE status IN ('failed', 'unknown') OR (status = 'queued' AND error IS NOT NULL)
     ORDER BY id DESC LIMIT $1`,
    [limit],
  );
}
