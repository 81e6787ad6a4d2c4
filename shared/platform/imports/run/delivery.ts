import type { Connection } from '../../../kernel/connection.ts';
import type { Work } from '../../../kernel/work.ts';

/** What the delivery of a job gives a run. */
export type RunDelivery = {
  organization_id: string;
  signal: AbortSignal;
  /** Aborted when the run must stop after its chunk; another process continues it. */
  draining: AbortSignal;
  /** A work of its own, in which nothing need change. */
  part(run: (work: Work) => Promise<void>): Promise<void>;
  /** Keeps other tries of the delivery out until the transaction ends; throws where another one has begun. */
  fence(connection: Connection): Promise<void>;
};
