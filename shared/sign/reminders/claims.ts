import { oneOf } from '../../db/one-of.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Table, Work } from '../../kernel/work.ts';

/** Why a signer is mailed again: by the schedule, since the document expires, or by hand. */
export type ClaimKind = 'reminder' | 'warning' | 'by_hand';

const SIGN_REMINDERS: Table = { tableName: 'sign_reminders' };

/** A mail to a signer that nobody else asks for once this row stands: unique for signer, kind and number. */
export type Claim = { signer_id: string; kind: ClaimKind; number: number; due_at: string };

/** Claims mails; of two works that do the same, one commits. The document is locked, and the numbers are new. */
export function claim(work: Work, claims: readonly (Claim & { message?: string | null })[]): void {
  const created_at = work.now.toISOString();
  work.insertAll(
    SIGN_REMINDERS,
    claims.map(({ message = null, ...row }) => ({ ...row, message, created_at })),
  );
}

export type Latest = { signer_id: string; number: number; created_at: string };

/** The last claim of a kind of each signer, where there is one. */
export async function latestClaims(
  { connection, organization_id }: Pick<Reader, 'connection' | 'organization_id'>,
  kind: ClaimKind,
  signer_ids: readonly string[],
): Promise<Map<string, Latest>> {
  const rows = await connection.query<Latest>(
    `SELECT signer_id, max(number) AS number, max(created_at) AS created_at FROM sign_reminders
      WHERE organization_id = $1 AND kind = $2 AND signer_id = ${oneOf('$3')} GROUP BY signer_id`,
    [organization_id, kind, signer_ids],
  );
  return new Map(rows.map((row) => [row.signer_id, row]));
}
