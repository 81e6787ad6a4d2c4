import { type Database, EVERY_ORGANIZATION } from '../shared/db/database.ts';
import { indexDueContacts } from '../shared/mail/contacts/search-sweep.ts';
import { placeAllEvents } from '../shared/platform/events/positions.ts';
import { sweepOldImports } from '../shared/platform/imports/sweep.ts';
import { releaseOldJobFiles } from '../shared/platform/jobs/files.ts';
import { keepNewest, mailboxFolder } from '../shared/platform/mailer/mailbox.ts';
import { ORPHANED_WORK } from '../shared/platform/operators/schedules.ts';
import { restoreOrphans } from '../shared/platform/outbox/orphans.ts';
import type { Settings } from '../shared/platform/settings/settings.ts';
import { removeLooseFiles } from '../shared/platform/storage/loose-files.ts';
import { openStorage } from '../shared/platform/storage/open.ts';
import type { Sweep } from './kernel/schedules.ts';
import { orphanKinds } from './orphans.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Rows removed by one statement: many would hold locks and write-ahead log for long. */
const BATCH = 5_000;

/** How many mails the local mailbox keeps; with SMTP_URL it is empty. */
const KEPT_MAILS = 5_000;

/** Every sweep, once. */
export function sweepsOf(settings: Pick<Settings, 'storageUrl' | 'dataDir'>): Sweep[] {
  const storage = openStorage(settings);
  return [
    ...sweepsOfRows,
    {
      name: ORPHANED_WORK,
      every: 5 * MINUTE,
      run: (database, now, signal) => restoreOrphans(database, orphanKinds, now, signal),
    },
    { name: 'old_imports', every: HOUR, run: sweepOldImports },
    { name: 'job_files', every: HOUR, run: releaseOldJobFiles },
    {
      name: 'loose_files',
      every: MINUTE,
      run: (database, now, signal) => removeLooseFiles({ database, storage }, now, signal),
    },
    { name: 'mailbox', every: HOUR, run: () => keepNewest(mailboxFolder(settings.dataDir), KEPT_MAILS) },
  ];
}

const sweepsOfRows: readonly Sweep[] = [
  {
    name: 'event_positions',
    every: 1_000,
    run: async (database) => {
      await placeAllEvents(database);
      return 0;
    },
  },
  { name: 'mail_contacts_search', every: 1_000, run: indexDueContacts },
  expiry('idempotency_keys', {
    table: 'idempotency_keys',
    column: 'created_at',
    age: DAY,
    every: 10 * MINUTE,
  }),
  expiry('receipts', { table: 'receipts', column: 'settled_at', age: 30 * DAY, every: HOUR }),
  expiry('queue_minutes', { table: 'queue_minutes', column: 'minute', age: 7 * DAY, every: HOUR }),
  expiry('sessions', { table: 'sessions', column: 'expires_at', age: 0, every: HOUR }),
  expiry('verifications', { table: 'verifications', column: 'expires_at', age: 0, every: HOUR }),
  expiry('rate_limits', { table: 'rate_limits', column: 'window_ends_at', age: 0, every: 10 * MINUTE }),
  expiry('attempts', { table: 'attempts', column: 'expires_at', age: 0, every: HOUR }),
  expiry('exports', { table: 'exports', column: 'created_at', age: 30 * DAY, every: HOUR }),
  expiry('invoicing_draft_prints', {
    table: 'invoicing_draft_prints',
    column: 'created_at',
    age: 7 * DAY,
    every: HOUR,
  }),
  expiry('account_tokens', { table: 'account_tokens', column: 'expires_at', age: DAY, every: HOUR }),
];

type Expiry = { table: string; column: string; age: number; every: number };

/** Removes rows whose time is more than `age` milliseconds ago. */
function expiry(name: string, { table, column, age, every }: Expiry): Sweep {
  const text = `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM ${table} WHERE ${column} < $1 LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)) RETURNING 1`;
  return {
    name: `expired_${name}`,
    every,
    run: async (database, now, signal) => {
      const before = new Date(now.getTime() - age).toISOString();
      let total = 0;
      for (;;) {
        const count = await removed(database, text, before);
        total += count;
        if (count < BATCH || signal.aborted) return total;
      }
    },
  };
}

function removed(database: Database, text: string, before: string): Promise<number> {
  return database.withConnection(EVERY_ORGANIZATION, async (connection) => {
    return (await connection.query(text, [before])).length;
  });
}
