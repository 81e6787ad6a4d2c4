import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { inWork } from '../../db/in-work.ts';
import { systemActor } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { eachDue } from '../../platform/sweeps/each-due.ts';
import { endProposals } from './life.ts';
import { type ProposalRow, proposalColumns } from './record.ts';

/** Proposals that one look takes. */
const LOOK = 200;

type Due = { organization_id: string; id: string; expires_at: string };

/**
 * Expires open proposals whose time is over, of these; the others are left. The service itself does it, whoever's request
 * found them. Locks their rows in the order of their IDs.
 */
export async function expireProposals(work: Work, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const overdue = await work.connection.query<ProposalRow>(
    `SELECT ${proposalColumns.join(', ')} FROM scheduler_proposals
      WHERE organization_id = $1 AND id = ANY ($2) AND status = 'open' AND expires_at <= $3
      ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, [...ids], work.now.toISOString()],
  );
  const system = work.onBehalfOf(systemActor, work.request_id);
  await endProposals(work, overdue, { status: 'expired' }, system);
  return overdue.length;
}

/** Expires every open proposal whose time is over, each in its own transaction, and answers how many. */
export function expireDueProposals(database: Database, now: Date, signal: AbortSignal): Promise<number> {
  return eachDue(
    {
      look: (after: Due | undefined) => dueProposals(database, now, after),
      size: LOOK,
      signal,
      fault: 'proposals could not be expired',
    },
    ({ organization_id, id }) =>
      database.withConnection(organization_id, (connection) =>
        inWork(
          { connection, organization_id, actor: systemActor, now, request_id: null, ip_address: null },
          async (work) => (await expireProposals(work, [id])) > 0,
          { may_change_nothing: true },
        ),
      ),
  );
}

function dueProposals(database: Database, now: Date, after: Due | undefined): Promise<Due[]> {
  return database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query<Due>(
      `SELECT organization_id, id, expires_at::text AS expires_at FROM scheduler_proposals
        WHERE status = 'open' AND expires_at <= $1 AND (expires_at, id) > ($2::timestamptz, $3)
        ORDER BY scheduler_proposals.expires_at, id LIMIT ${LOOK}`,
      [now.toISOString(), after?.expires_at ?? '-infinity', after?.id ?? ''],
    ),
  );
}
