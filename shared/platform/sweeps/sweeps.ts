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
      description: {
        en: 'Puts right what waits for a job that is not in the outbox; should find nothing',
        ja: '送信箱にないジョブを待つものを直します。通常は見つかりません',
      },
      every: 5 * MINUTE,
      run: (database, now, signal) => restoreOrphans(database, orphanKinds, now, signal),
    },
    {
      name: 'old_imports',
      description: {
        en: 'Forgets what imports overwrote, once they cannot be undone any more',
        ja: '取り消せなくなったインポートの、上書き前の値を削除します',
      },
      every: HOUR,
      run: sweepOldImports,
    },
    {
      name: 'job_files',
      description: {
        en: 'Gives up the files of jobs, after 7 days',
        ja: 'ジョブのファイルを、7日後に削除します',
      },
      every: HOUR,
      run: releaseOldJobFiles,
    },
    {
      name: 'loose_files',
      description: {
        en: 'Removes files that nothing refers to any more',
        ja: 'どこからも参照されないファイルを削除します',
      },
      every: MINUTE,
      run: (database, now, signal) => removeLooseFiles({ database, storage }, now, signal),
    },
    ...(scanner ? [pendingScans(storage, scanner)] : []),
    {
      name: 'mailbox',
      description: {
        en: 'Keeps the newest 5,000 mails of the local mailbox',
        ja: 'ローカルのメールボックスを、新しい5,000通に保ちます',
      },
      every: HOUR,
      run: () => keepNewest(mailboxFolder(data_dir), KEPT_MAILS),
    },
  ];
}

function pendingScans(storage: Storage, scanner: Scanner): Sweep {
  return {
    name: 'pending_scans',
    description: {
      en: 'Scans files from outside that the scanner has not answered for yet',
      ja: '検査結果のない外部からのファイルを検査します',
    },
    every: MINUTE,
    run: (database, now, signal) => scanPendingFiles({ database, storage }, scanner, now, signal),
  };
}

const sweepsOfRows: readonly Sweep[] = [
  {
    name: 'row_counts',
    description: {
      en: 'Folds the ledger that totals of lists are told by',
      ja: '一覧の件数の集計をまとめます',
    },
    every: 10_000,
    run: foldRowCounts,
  },
  {
    name: 'event_positions',
    description: { en: 'Gives new events their place in the feed', ja: '新しいイベントの順序を確定します' },
    every: 1_000,
    run: async (database) => {
      await placeAllEvents(database);
      return 0;
    },
  },
  {
    name: 'evidence_seals',
    description: {
      en: 'Seals new changes of evidence into the chain of their organization',
      ja: '証憑の変更を、組織ごとの連鎖に記録します',
    },
    every: 1_000,
    run: sealAllEvidence,
  },
  expiry({
    table: 'idempotency_keys',
    column: 'created_at',
    age: DAY,
    every: 10 * MINUTE,
    description: {
      en: 'Removes answers kept for repeated requests, after a day',
      ja: '再送に備えて保存した応答を、1日後に削除します',
    },
  }),
  expiry({
    table: 'receipts',
    column: 'settled_at',
    age: 30 * DAY,
    every: HOUR,
    description: {
      en: 'Removes the receipts of finished jobs, after 30 days',
      ja: '終了したジョブの控えを、30日後に削除します',
    },
  }),
  expiry({
    table: 'queue_minutes',
    column: 'minute',
    age: 7 * DAY,
    every: HOUR,
    description: {
      en: 'Removes the numbers of the queues, after 7 days',
      ja: 'キューの統計を、7日後に削除します',
    },
  }),
  expiry({
    table: 'sessions',
    column: 'expires_at',
    age: 0,
    every: HOUR,
    description: { en: 'Removes sessions that have ended', ja: '終了したセッションを削除します' },
  }),
  expiry({
    table: 'verifications',
    column: 'expires_at',
    age: 0,
    every: HOUR,
    description: { en: 'Removes what sign-in kept for a while', ja: 'サインインの一時的な記録を削除します' },
  }),
  expiry({
    table: 'rate_limits',
    column: 'window_ends_at',
    age: 0,
    every: 10 * MINUTE,
    description: {
      en: 'Removes counts of requests whose window has ended',
      ja: '期間の終わった要求の回数を削除します',
    },
  }),
  expiry({
    table: 'attempts',
    column: 'expires_at',
    age: 0,
    every: HOUR,
    description: {
      en: 'Removes counts of sign-in attempts whose window has ended',
      ja: '期間の終わったサインインの回数を削除します',
    },
  }),
  expiry({
    table: 'exports',
    column: 'created_at',
    age: 30 * DAY,
    every: HOUR,
    description: {
      en: 'Removes the records of exports, after 30 days',
      ja: 'エクスポートの記録を、30日後に削除します',
    },
  }),
  expiry({
    table: 'batches',
    column: 'created_at',
    age: 30 * DAY,
    every: HOUR,
    description: {
      en: 'Removes what batches that were given up had been asked for, after 30 days',
      ja: '中止した一括処理の依頼内容を、30日後に削除します',
    },
  }),
  expiry({
    table: 'links',
    column: 'expires_at',
    age: DAY,
    every: HOUR,
    description: {
      en: 'Removes links for people without an account, a day after they ended',
      ja: 'アカウントのない人のためのリンクを、終了の1日後に削除します',
    },
  }),
];
