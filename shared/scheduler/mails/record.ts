import type { Reader } from '../../kernel/reader.ts';
import type { Table } from '../../kernel/work.ts';
import type { Recipient, Told } from './told.ts';

/** What mails of the scheduler say, a row a mail; their delivery stands in `mails`. */
export const SCHEDULER_MAILS: Table = { tableName: 'scheduler_mails', jsonAttributes: ['told'] };

/** What a mail says, and to whom. */
export async function saidBy(
  { connection, organization_id }: Reader,
  mail_id: string,
): Promise<{ recipient: Recipient; told: Told }> {
  const [said] = await connection.query<{ recipient: Recipient; told: Told }>(
    'SELECT recipient, told FROM scheduler_mails WHERE organization_id = $1 AND mail_id = $2',
    [organization_id, mail_id],
  );
  return said!;
}
