import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { inWork } from '../../db/in-work.ts';
import { systemActor } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';

/**
 * Rows of one kind that wait for work of which the outbox knows nothing. That is a fault: a row and its delivery commit
 * together, and a delivery is removed with what it wrote. So one statement sees both or neither, whatever runs beside it,
 * and a row needs no age to be judged. A row that waits for something else first has no delivery yet: `restore` asks what
 * waits before it reads the outbox, as each statement has a snapshot of its own.
 */
export type Orphans = {
  /**
   * SQL that selects `organization_id` and `id` of those rows. Written with EXCEPT, whose time is that of reading both
   * sides once: an anti-join may be planned as a search of the outbox for each row.
   */
  find: string;
  /** Locks the rows, looks again, and puts them right. Answers how many it changed. */
  restore: (work: Work, ids: readonly string[]) => Promise<number>;
};

type Found = { organization_id: string; id: string };

/** Rows of one look; those of an organization are put right in one transaction. */
const PAGE = 500;

/** Puts right what is orphaned, kind after kind, until nothing is left or `signal` says stop. Answers how many. */
export async function restoreOrphans(
  database: Database,
  kinds: readonly Orphans[],
  now: Date,
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  for (const kind of kinds) {
    for await (const [organization_id, ids] of groupsOf(database, kind)) {
      if (signal.aborted) return count;
      const who = { actor: systemActor, organization_id, request_id: null, ip_address: null };
      count += await database.withConnection(organization_id, (connection) =>
        inWork({ ...who, connection, now }, (work) => kind.restore(work, ids), { may_change_nothing: true }),
      );
    }
  }
  return count;
}

/** Page by page, so that rows which may wait do not stand before those which are orphaned. */
async function* groupsOf(database: Database, { find }: Orphans): AsyncGenerator<[string, string[]]> {
  let last: Found = { organization_id: '', id: '' };
  for (;;) {
    const page = await database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
      query<Found>(
        `SELECT organization_id, id FROM (${find}) AS orphan
          WHERE (organization_id, id) > ($1, $2) ORDER BY organization_id, id LIMIT ${PAGE}`,
        [last.organization_id, last.id],
        { prepared: false },
      ),
    );
    for (const [organization_id, own] of Map.groupBy(page, (row) => row.organization_id))
      yield [organization_id, own.map(({ id }) => id)];
    if (page.length < PAGE) return;
    last = page.at(-1)!;
  }
}
