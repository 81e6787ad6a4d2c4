import type { Database } from '../../shared/db/database.ts';
import { transaction } from '../../shared/db/transaction.ts';
import type { Connection } from '../../shared/kernel/connection.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import { Work } from '../../shared/kernel/work.ts';

export type Settling = {
  database: Database;
  organization_id: string;
  delivery_id: string;
  now: Date;
  /** Once aborted nothing is committed any more: another try may have begun. */
  signal: AbortSignal;
};

/**
 * Ends a delivery: `run`'s writes, the receipt and the outbox row's removal commit together. A second delivery
 * finds the receipt and changes nothing; two at the same time wait for each other at it. Answers whether it was
 * this call that settled.
 */
export async function settle(settling: Settling, run: (work: Work) => Promise<void>): Promise<boolean> {
  const { database, organization_id, delivery_id, now, signal } = settling;
  return database.withConnection(organization_id, (connection) =>
    transaction(connection, async (commit) => {
      signal.throwIfAborted();
      const receipts = await connection.query(
        `INSERT INTO receipts (organization_id, delivery_id, settled_at) VALUES ($1, $2, $3)
         ON CONFLICT DO NOTHING RETURNING delivery_id`,
        [organization_id, delivery_id, now.toISOString()],
      );
      const is_first = receipts.length === 1;
      const work = await written(settling, connection, is_first ? run : async () => {});
      signal.throwIfAborted();
      const removal = 'DELETE FROM outbox WHERE organization_id = $1 AND id = $2';
      await commit(work.finish({ text: removal, values: [organization_id, delivery_id] }));
      return is_first;
    }),
  );
}

/** A part of a long job that commits by itself, without a receipt: the part must say itself where it stands. */
export async function commitPart(settling: Settling, run: (work: Work) => Promise<void>): Promise<void> {
  const { database, organization_id, signal } = settling;
  await database.withConnection(organization_id, (connection) =>
    transaction(connection, async (commit) => {
      signal.throwIfAborted();
      const work = await written(settling, connection, run);
      signal.throwIfAborted();
      await commit(work.finish());
    }),
  );
}

async function written(
  { organization_id, delivery_id, now }: Settling,
  connection: Connection,
  run: (work: Work) => Promise<void>,
): Promise<Work> {
  const who = { actor: systemActor, request_id: delivery_id, ip_address: null };
  const work = new Work({ connection, organization_id, now, ...who });
  work.nothingChanged();
  await run(work);
  return work;
}
