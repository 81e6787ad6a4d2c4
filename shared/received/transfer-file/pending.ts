import { DAY } from '../../kernel/days.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { expiry, HOUR } from '../../platform/sweeps/expiry.ts';

const TABLE = 'received_transfer_files';

/** A transfer file that a worker is to store: its text, its transfers, and their sum in yen. */
export type PendingFile = { content: string; records: number; amount: number };

/** Keeps a file until it is stored. */
export function keepPending(work: Work, job_id: string, file: PendingFile): void {
  work.insert({ tableName: TABLE }, { job_id, ...file, created_at: work.now.toISOString() });
}

/** The file of a job; null once it is stored. */
export async function pendingFile(
  { connection, organization_id }: Reader,
  job_id: string,
): Promise<PendingFile | null> {
  const [row] = await connection.query<PendingFile>(
    `SELECT content, records, amount FROM ${TABLE} WHERE organization_id = $1 AND job_id = $2`,
    [organization_id, job_id],
  );
  return row ?? null;
}

/** Forgets a file: it is stored, or its job was cancelled. */
export function forgetPending(work: Work, job_id: string): void {
  const text = `DELETE FROM ${TABLE} WHERE organization_id = $1 AND job_id = $2`;
  work.run(text, [work.organization_id, job_id]);
}

/** Files whose job was given up hold names and accounts. */
export const pendingFileExpiry = expiry({
  table: TABLE,
  column: 'created_at',
  age: 7 * DAY,
  every: HOUR,
  description: {
    en: 'Removes transfer files that no worker could store, after seven days',
    ja: '保存できなかった総合振込ファイルを、7日後に削除します',
  },
});
