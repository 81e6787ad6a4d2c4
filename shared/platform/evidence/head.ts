import type { Reader } from '../../kernel/reader.ts';
import type { Link } from './canonical.ts';

/** The last link of a chain; null for an empty one. */
export type Head = Pick<Link, 'sequence' | 'hash'> | null;

/** The head of an organization's chain. */
export async function headOf({
  connection,
  organization_id,
}: Pick<Reader, 'connection' | 'organization_id'>): Promise<Head> {
  const [head] = await connection.query<Pick<Link, 'sequence' | 'hash'>>(
    'SELECT sequence, hash FROM evidence_chain WHERE organization_id = $1 ORDER BY sequence DESC LIMIT 1',
    [organization_id],
  );
  return head ? { sequence: Number(head.sequence), hash: head.hash } : null;
}
