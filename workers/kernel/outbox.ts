import { type Database, EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { batcher } from '../../shared/kernel/batch.ts';
import type { Connection } from '../../shared/kernel/connection.ts';

/** What a ticket names: a delivery of an organization, and which dispatch of it. */
export type Handed = { organization_id: string; delivery_id: string; hand_over: number };

/** A ticket that the queue offers; `again` where it offers it once more, since the process that took it is silent. */
export type Offered = Handed & { again: boolean };

/** A row of the outbox as the one who takes it sees it. */
export type Claimed = {
  name: string;
  payload: unknown;
  attempts: number;
  starts: number;
  hand_overs: number;
  created_at: string;
  retried_at: string | null;
};

/**
 * One try of a delivery. Every outcome names the try that writes it, so that a try which was overtaken writes nothing.
 * The process is a part of the name: a try that was handed back counts as no start, and the next one has its number.
 */
export type Start = {
  organization_id: string;
  delivery_id: string;
  starts: number;
  hand_overs: number;
  process_number: number;
};

export type Ended = Start & { now: Date };

/** The result of settling: `earlier` where the delivery has a receipt already, `overtaken` where another try has started. */
export type Settled = 'settled' | 'earlier' | 'overtaken';

type Asked = { handed?: Offered; ended?: Ended };

export type Outbox = {
  /** The number of this process in the rows that it claims. */
  readonly process_number: number;
  /**
   * Takes a delivery: counts the start before anything is done, so that a job that kills its process is noticed.
   * Null when it is settled or failed already, was dispatched again since, or is claimed by a live process.
   */
  claim(handed: Offered): Promise<Claimed | null>;
  /** Ends a delivery that has nothing to write: its row is removed and it gets a receipt. */
  settle(ended: Ended): Promise<Settled>;
  /**
   * A try failed: the relay hands the delivery over again when it is due. The ticket of this try is void. False, and
   * nothing is written, where another try has begun. Without `counts` it is neither a try nor a start of the job.
   */
  postpone(start: Start, again: { due_at: Date; error: string; counts: boolean }): Promise<boolean>;
  /**
   * The process ends before the job did: the start does not count. False, and nothing is written, where another try has
   * begun or this one has ended.
   */
  uncount(start: Start): Promise<boolean>;
};

/** Planned anew each time: a plan made while the outbox was empty is kept, and ruinous when it is full. */
export const PLANNED = { prepared: false } as const;

/** The outbox as one process of workers writes it; `process_number` stands in the rows that it claims. */
export function openOutbox(database: Database, process_number: number): Outbox {
  const query = <Row extends object>(text: string, values: readonly unknown[]) =>
    database.withConnection(EVERY_ORGANIZATION, (connection) => connection.query<Row>(text, values, PLANNED));

  async function claimAll(connection: Connection, handed: readonly Offered[]): Promise<Map<string, Claimed>> {
    if (handed.length === 0) return new Map();
    const sorted = handed.toSorted(byKey);
    const hand_overs = sorted.map(({ hand_over }) => hand_over);
    const values = [...keysOf(sorted), hand_overs, sorted.map(({ again }) => again), process_number];
    const rows = await connection.query<Claimed & Key>(CLAIM, values, PLANNED);
    return new Map(rows.map((row) => [keyOf(row), row]));
  }

  async function settleAll(connection: Connection, ended: readonly Ended[]): Promise<Map<string, Settled>> {
    if (ended.length === 0) return new Map();
    const sorted = ended.toSorted(byKey);
    const values = [
      ...keysOf(sorted),
      sorted.map(({ starts }) => starts),
      sorted.map(({ hand_overs }) => hand_overs),
      sorted.map(({ now }) => now.toISOString()),
      process_number,
    ];
    const rows = await connection.query<Key & { is_first: boolean }>(SETTLE, values, PLANNED);
    return new Map(rows.map((row) => [keyOf(row), row.is_first ? 'settled' : 'earlier']));
  }

  /**
   * What begins and what ends at the same time makes one trip: each packet costs as much as the rows in it. A busy
   * process waits a millisecond for more to join.
   */
  const exchange = batcher<Asked, { claimed: Claimed | null; settled: Settled }>(
    (asked) =>
      database.withConnection(EVERY_ORGANIZATION, async (connection) => {
        const [claimed, settled] = await Promise.allSettled([
          claimAll(
            connection,
            asked.flatMap(({ handed }) => handed ?? []),
          ),
          settleAll(
            connection,
            asked.flatMap(({ ended }) => ended ?? []),
          ),
        ]);
        if (claimed.status === 'rejected') throw claimed.reason;
        if (settled.status === 'rejected') throw settled.reason;
        return asked.map(({ handed, ended }) => ({
          claimed: (handed && claimed.value.get(keyOf(handed))) ?? null,
          settled: (ended && settled.value.get(keyOf(ended))) ?? 'overtaken',
        }));
      }),
    { start: 'idle', failure: 'all', pause: 1 },
  );

  return {
    process_number,
    claim: async (handed) => (await exchange({ handed })).claimed,
    settle: async (ended) => (await exchange({ ended })).settled,
    postpone: async (start, { due_at, error, counts }) => {
      const text = `UPDATE outbox SET attempts = attempts + $8, starts = starts - 1 + $8, due_at = $6, error = $7,
        handed_over_at = NULL, taken_by = NULL, hand_overs = hand_overs + 1 WHERE ${SAME_START} RETURNING 1`;
      const values = [...valuesOf({ ...start, process_number }), due_at.toISOString(), error, counts ? 1 : 0];
      return (await query(text, values)).length > 0;
    },
    uncount: async (start) => {
      const text = `UPDATE outbox SET starts = starts - 1, taken_by = NULL WHERE ${SAME_START} RETURNING 1`;
      return (await query(text, valuesOf({ ...start, process_number }))).length > 0;
    },
  };
}

/** That the row is at the try that `$1` to `$5` name, see `valuesOf`. */
export const SAME_START = `organization_id = $1 AND id = $2 AND starts = $3 AND hand_overs = $4 AND taken_by = $5
  AND failed_at IS NULL`;

/** The values of `SAME_START`. */
export function valuesOf({ organization_id, delivery_id, starts, hand_overs, process_number }: Start) {
  return [organization_id, delivery_id, starts, hand_overs, process_number];
}

/**
 * A ticket may be claimed before the dispatch that queued it has committed: then the row's older version, with a smaller
 * number, is found first, and the update waits for the commit. The same delivery may have several tickets: what is
 * taken is not taken again, unless the queue says that whoever took it is silent (dead processes are known to the
 * relay, which hands over anew).
 */
const CLAIM = `
  UPDATE outbox SET starts = starts + 1, taken_by = $5
  FROM unnest($1::text[], $2::text[], $3::integer[], $4::boolean[]) AS handed (organization_id, id, hand_over, again)
  WHERE outbox.organization_id = handed.organization_id AND outbox.id = handed.id
    AND outbox.hand_overs <= handed.hand_over AND outbox.failed_at IS NULL
    AND (outbox.taken_by IS NULL OR handed.again)
  RETURNING outbox.organization_id, outbox.id AS delivery_id, name, payload, attempts, starts, hand_overs,
    created_at, retried_at`;

const SETTLE = `
  WITH ended AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::integer[], $4::integer[], $5::timestamptz[])
      AS given (organization_id, delivery_id, starts, hand_overs, settled_at)
  ), removed AS (
    DELETE FROM outbox USING ended
    WHERE outbox.organization_id = ended.organization_id AND outbox.id = ended.delivery_id
      AND outbox.starts = ended.starts AND outbox.hand_overs = ended.hand_overs AND outbox.taken_by = $6
      AND outbox.failed_at IS NULL
    RETURNING ended.organization_id, ended.delivery_id, ended.settled_at
  ), noted AS (
    INSERT INTO receipts (organization_id, delivery_id, settled_at)
    SELECT organization_id, delivery_id, settled_at FROM removed
    ON CONFLICT DO NOTHING RETURNING organization_id, delivery_id
  )
  SELECT organization_id, delivery_id, noted.delivery_id IS NOT NULL AS is_first
  FROM removed LEFT JOIN noted USING (organization_id, delivery_id)`;

type Key = { organization_id: string; delivery_id: string };

function keyOf({ organization_id, delivery_id }: Key): string {
  return `${organization_id} ${delivery_id}`;
}

/** Two that write the same rows write them in the same order, and wait for each other instead of for ever. */
function byKey(left: Key, right: Key): number {
  return keyOf(left) < keyOf(right) ? -1 : 1;
}

function keysOf(rows: readonly Key[]): [string[], string[]] {
  return [rows.map((row) => row.organization_id), rows.map((row) => row.delivery_id)];
}
