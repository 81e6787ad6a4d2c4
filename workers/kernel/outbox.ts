import { type Database, EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import type { Connection } from '../../shared/kernel/connection.ts';
import { gathered } from './gathered.ts';

/** What a ticket says: whose delivery it is, and which hand-over of it. */
export type Handed = { organization_id: string; delivery_id: string; hand_over: number };

/** A ticket at hand; `again` where the queue offers it once more, since whoever took it has not been heard of. */
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

/** One start of a delivery. Whoever writes what came of it names it, so that a start that was given up on writes nothing. */
export type Start = { organization_id: string; delivery_id: string; starts: number; hand_overs: number };

export type Ended = { organization_id: string; delivery_id: string; now: Date };

type Asked = { handed?: Offered; ended?: Ended };

export type Outbox = {
  /** As the rows that this process has taken name it. */
  readonly process_number: number;
  /**
   * Takes a delivery: counts the start before anything is done, so that a job that kills its process is noticed.
   * Null when it is settled or given up already, was handed over again since, or is taken by a process that lives.
   */
  claim(handed: Offered): Promise<Claimed | null>;
  /** Ends a delivery that has nothing to write: receipt, and the row is gone. Answers whether it was this call that did. */
  settle(ended: Ended): Promise<boolean>;
  /** A try failed: the relay hands the delivery over again when it is due. The ticket of this try is void. */
  postpone(start: Start, again: { due_at: Date; error: string }): Promise<void>;
  /** The process ends before the job did: the start does not count. */
  uncount(start: Start): Promise<void>;
};

/** Planned anew each time: a plan made while the outbox was empty is kept, and ruinous when it is full. */
export const PLANNED = { prepared: false } as const;

/** The outbox as one process of workers writes it; `process_number` stands in the rows that it has taken. */
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

  async function settleAll(connection: Connection, ended: readonly Ended[]): Promise<Set<string>> {
    if (ended.length === 0) return new Set();
    const sorted = ended.toSorted(byKey);
    const values = [...keysOf(sorted), sorted.map(({ now }) => now.toISOString())];
    return new Set((await connection.query<Key>(SETTLE, values, PLANNED)).map(keyOf));
  }

  /** What begins and what ends at the same time makes one trip: each packet costs as much as the rows in it. */
  const exchange = gathered<Asked, { claimed: Claimed | null; was_first: boolean }>((asked) =>
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
        was_first: ended !== undefined && settled.value.has(keyOf(ended)),
      }));
    }),
  );

  return {
    process_number,
    claim: async (handed) => (await exchange({ handed })).claimed,
    settle: async (ended) => (await exchange({ ended })).was_first,
    postpone: async ({ organization_id, delivery_id, starts, hand_overs }, { due_at, error }) => {
      const text = `UPDATE outbox SET attempts = attempts + 1, due_at = $5, error = $6, handed_over_at = NULL,
        taken_by = NULL, hand_overs = hand_overs + 1 WHERE ${SAME_START}`;
      await query(text, [organization_id, delivery_id, starts, hand_overs, due_at.toISOString(), error]);
    },
    uncount: async ({ organization_id, delivery_id, starts, hand_overs }) => {
      const text = `UPDATE outbox SET starts = starts - 1, taken_by = NULL WHERE ${SAME_START}`;
      await query(text, [organization_id, delivery_id, starts, hand_overs]);
    },
  };
}

/** That the row is at the start that `$1` to `$4` name: organization, delivery, starts, hand-overs. */
export const SAME_START = `organization_id = $1 AND id = $2 AND starts = $3 AND hand_overs = $4
  AND failed_at IS NULL`;

/**
 * A ticket may be taken before the hand-over that put it has committed: then the row's older version, with a smaller
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
    SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS given (organization_id, delivery_id, settled_at)
  ), removed AS (
    DELETE FROM outbox USING ended
    WHERE outbox.organization_id = ended.organization_id AND outbox.id = ended.delivery_id
  )
  INSERT INTO receipts (organization_id, delivery_id, settled_at)
  SELECT organization_id, delivery_id, settled_at FROM ended
  ON CONFLICT DO NOTHING RETURNING organization_id, delivery_id`;

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
