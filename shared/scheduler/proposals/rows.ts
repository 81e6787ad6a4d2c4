import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { boundLockWaits } from '../occupancies/hosts.ts';
import { type ProposalRow, proposalColumns } from './record.ts';

const BY_ID = `SELECT ${proposalColumns.join(', ')} FROM scheduler_proposals WHERE organization_id = $1 AND id = $2`;

/** A proposal as it is stored. Errors: `not_found`. */
export async function proposalRow({ connection, organization_id }: Reader, id: string): Promise<ProposalRow> {
  const [row] = await connection.query<ProposalRow>(BY_ID, [organization_id, id]);
  if (!row) throw notFound();
  return row;
}

/** The same, locked until the work commits; it is the first lock of its work. Errors: `not_found`, `unavailable`. */
export async function lockProposal(work: Work, id: string): Promise<ProposalRow> {
  boundLockWaits(work);
  const [row] = await work.connection.query<ProposalRow>(`${BY_ID} FOR NO KEY UPDATE`, [
    work.organization_id,
    id,
  ]);
  if (!row) throw notFound();
  return row;
}
