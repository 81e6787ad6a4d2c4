import { foldRowCounts } from '../../db/row-counts.ts';
import { DAY } from '../../kernel/days.ts';
import type { Domain } from '../domain.ts';
import { placeAllEvents } from '../events/positions.ts';
import { sealAllEvidence } from '../evidence/seal.ts';
import { sweepOldImports } from '../imports/sweep.ts';
import { scanPendingFiles } from '../intake/scan-pending.ts';
import type { Scanner } from '../intake/scanner.ts';
import { releaseOldJobFiles } from '../jobs/files.ts';
import { keepNewest, mailboxFolder } from '../mailer/mailbox.ts';
import { ORPHANED_WORK } from '../operators/schedules.ts';
import { orphanKindsOf } from '../outbox/orphan-kinds.ts';
import { restoreOrphans } from '../outbox/orphans.ts';
import { removeLooseFiles } from '../storage/loose-files.ts';
import type { Storage } from '../storage/storage.ts';
import { expiry, HOUR, MINUTE } from './expiry.ts';
import type { Sweep } from './sweep.ts';

/** How many mails the local mailbox keeps; with SMTP_URL it is empty. */
const KEPT_MAILS = 5_000;

/** Every sweep, those of the platform and of the domains. */
export function sweepsOf(
  domains: readonly Domain[],
  { storage, scanner = null, data_dir }: { storage: Storage; scanner?: Scanner | null; data_dir: string },
): Sweep[] {
  const orphanKinds = orphanKindsOf(domains);
  return [
    ...sweepsOfRows,
    ...domains.flatMap(({ sweeps = [] }) => sweeps),
    {
      name: ORPHANED_WORK,
      description: 'Puts right what waits for a job that is not in the outbox; should find nothing',
      every: 5 * MINUTE,
      run: (database, now, signal) => restoreOrphans(database, orphanKinds, now, signal),
    },
    {
      name: 'old_imports',
      description: 'Forgets what imports overwrote, once they cannot be undone any more',
      every: HOUR,
      run: sweepOldImports,
    },
    {
      name: 'job_files',
      description: 'Gives up the files of jobs, after 7 days',
      every: HOUR,
      run: releaseOldJobFiles,
    },
    {
      name: 'loose_files',
      description: 'Removes files that nothing refers to any more',
      every: MINUTE,
      run: (database, now, signal) => removeLooseFiles({ database, storage }, now, signal),
    },
    ...(scanner ? [pendingScans(storage, scanner)] : []),
    {
      name: 'mailbox',
      description: 'Keeps the newest 5,000 mails of the local mailbox',
      every: HOUR,
      run: () => keepNewest(mailboxFolder(data_dir), KEPT_MAILS),
    },
  ];
}

function pendingScans(storage: Storage, scanner: Scanner): Sweep {
  return {
    name: 'pending_scans',
    description: 'Scans files from outside that the scanner has not answered for yet',
    every: MINUTE,
    run: (database, now, signal) => scanPendingFiles({ database, storage }, scanner, now, signal),
  };
}

const sweepsOfRows: readonly Sweep[] = [
  {
    name: 'row_counts',
    description: 'Folds the ledger that totals of lists are told by',
    every: 10_000,
    run: foldRowCounts,
  },
  {
    name: 'event_positions',
    description: 'Gives new events their place in the feed',
    every: 1_000,
    run: async (database) => {
      await placeAllEvents(database);
      return 0;
    },
  },
  {
    name: 'evidence_seals',
    description: 'Seals new changes of evidence into the chain of their organization',
    every: 1_000,
    run: sealAllEvidence,
  },
  expiry({
    table: 'idempotency_keys',
    column: 'created_at',
    age: DAY,
    every: 10 * MINUTE,
    description: 'Removes answers kept for repeated requests, after a day',
  }),
  expiry({
    table: 'receipts',
    column: 'settled_at',
    age: 30 * DAY,
    every: HOUR,
    description: 'Removes the receipts of finished jobs, after 30 days',
  }),
  expiry({
    table: 'queue_minutes',
    column: 'minute',
    age: 7 * DAY,
    every: HOUR,
    description: 'Removes the numbers of the queues, after 7 days',
  }),
  expiry({
    table: 'sessions',
    column: 'expires_at',
    age: 0,
    every: HOUR,
    description: 'Removes sessions that have ended',
  }),
  expiry({
    table: 'verifications',
    column: 'expires_at',
    age: 0,
    every: HOUR,
    description: 'Removes what sign-in kept for a while',
  }),
  expiry({
    table: 'rate_limits',
    column: 'window_ends_at',
    age: 0,
    every: 10 * MINUTE,
    description: 'Removes counts of requests whose window has ended',
  }),
  expiry({
    table: 'attempts',
    column: 'expires_at',
    age: 0,
    every: HOUR,
    description: 'Removes counts of sign-in attempts whose window has ended',
  }),
  expiry({
    table: 'exports',
    column: 'created_at',
    age: 30 * DAY,
    every: HOUR,
    description: 'Removes the records of exports, after 30 days',
  }),
  expiry({
    table: 'batches',
    column: 'created_at',
    age: 30 * DAY,
    every: HOUR,
    description: 'Removes what batches that were given up had been asked for, after 30 days',
  }),
  expiry({
    table: 'links',
    column: 'expires_at',
    age: DAY,
    every: HOUR,
    description: 'Removes links for people without an account, a day after they ended',
  }),
];
