import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { inWork } from '../../db/in-work.ts';
import { systemActor } from '../../kernel/reader.ts';
import { eachDue } from '../../platform/sweeps/each-due.ts';
import { lockHosts } from '../occupancies/hosts.ts';
import { settleOverdue } from '../occupancies/overdue.ts';

/** Holds that one look takes. */
const LOOK = 200;

type Due = { organization_id: string; id: string; user_ids: string[]; expires_at: string };

/**
 * Removes every hold that is over, each in its own transaction, and answers how many. Nobody has waited for that: a hold is
 * over by its time.
 */
export function removeDueHolds(database: Database, now: Date, signal: AbortSignal): Promise<number> {
  return eachDue(
    {
      look: (after: Due | undefined) => dueHolds(database, now, after),
      size: LOOK,
      signal,
      fault: 'holds could not be removed',
    },
    ({ organization_id, id, user_ids }) =>
      database.withConnection(organization_id, (connection) =>
        inWork(
          { connection, organization_id, actor: systemActor, now, request_id: null, ip_address: null },
          async (work) => {
            await lockHosts(work, user_ids);
            await settleOverdue(work, user_ids);
            work.run('DELETE FROM scheduler_holds WHERE organization_id = $1 AND id = $2', [
              organization_id,
              id,
            ]);
            return true;
          },
          { may_change_nothing: true },
        ),
      ),
  );
}

function dueHolds(database: Database, now: Date, after: Due | undefined): Promise<Due[]> {
  return database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query<Due>(
      `SELECT organization_id, id, user_ids, expires_at::text AS expires_at FROM scheduler_holds
        WHERE expires_at <= $1 AND (expires_at, id) > ($2::timestamptz, $3)
        ORDER BY scheduler_holds.expires_at, id LIMIT ${LOOK}`,
      [now.toISOString(), after?.expires_at ?? '-infinity', after?.id ?? ''],
    ),
  );
}
