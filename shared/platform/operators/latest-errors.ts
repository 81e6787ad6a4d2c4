import type { Connection } from '../../kernel/connection.ts';

/** Something that went wrong: a job given up, a mail that did not leave, a schedule that failed. */
export type LatestError = {
  kind: 'job' | 'mail' | 'schedule';
  at: string;
  /** The job's, mail purpose's or schedule's name. */
  name: string;
  organization_id: string | null;
  id: string | null;
  error: string | null;
};

/** The newest of all that went wrong and can still be looked at. */
export function latestErrors(connection: Connection, limit: number): Promise<LatestError[]> {
  return connection.query<LatestError>(
    `SELECT kind, at, name, organization_id, id, error FROM (
       (SELECT 'job' AS kind, failed_at AS at, name, organization_id, id, error FROM outbox
        WHERE failed_at IS NOT NULL ORDER BY failed_at DESC LIMIT $1)
       UNION ALL
       (SELECT 'mail', updated_at, purpose, organization_id, id, error FROM mails
        WHERE status IN ('failed', 'unknown') ORDER BY id DESC LIMIT $1)
       UNION ALL
       (SELECT 'schedule', failed_at, name, NULL, NULL, last_error FROM sweeps
        WHERE failed_at IS NOT NULL ORDER BY failed_at DESC LIMIT $1)
     ) every ORDER BY at DESC LIMIT $1`,
    [limit],
  );
}
