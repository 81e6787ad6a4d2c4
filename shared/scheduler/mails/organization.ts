import type { Reader } from '../../kernel/reader.ts';

/** The name of the reader's organization: mails come from it. */
export async function organizationName({
  connection,
  organization_id,
}: Pick<Reader, 'connection' | 'organization_id'>): Promise<string> {
  const [found] = await connection.query<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [
    organization_id,
  ]);
  return found!.name;
}
