import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { attentionTo, type Situation } from '../../../api/ops/attention.ts';
import type { Attention } from '../../../api/ops/attention-surroundings.ts';
import { speechIn } from '../../../api/ops/speech.ts';
import type { Language } from '../../../shared/kernel/language.ts';
import type { ScheduleState } from '../../../shared/platform/operators/schedules.ts';
import type { WorkerProcess } from '../../../shared/platform/operators/worker-processes.ts';
import type { QueueNumbers } from '../../../shared/platform/outbox/numbers.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
const before = (seconds: number) => new Date(now.getTime() - seconds * 1000).toISOString();

const worker: WorkerProcess = {
  id: 'one',
  name: 'workers',
  host: 'office-1',
  pid: 1,
  engine: 'postgres' as const,
  queues: ['email'],
  running: [],
  memory_bytes: 1,
  started_at: before(3600),
  beat_at: before(3),
};
const email: QueueNumbers = {
  queue: 'email' as const,
  waiting: 2,
  later: 0,
  in_flight: 1,
  failed: 0,
  oldest_seconds: 5,
  lag_seconds: 2,
  done_per_minute: 1,
  failed_per_minute: 0,
};
const schedule: ScheduleState = {
  name: 'expired_sessions',
  every_milliseconds: 3_600_000,
  is_running: false,
  started_at: before(600),
  finished_at: before(599),
  succeeded_at: before(599),
  last_count: 0,
  failed_at: null,
  last_error: null,
};
const database = {
  version: '18.4',
  size_bytes: 1,
  connections: 20,
  active_connections: 1,
  max_connections: 100,
  longest_transaction_seconds: 1,
  longest_transaction_by: 'psql',
  cache_hits: 1,
  up_seconds: 1,
};

/** A quiet service but for what is named. */
function titles(change: Partial<Situation> = {}, language: Language = 'en'): string[] {
  return wanting(change, language).map(({ tone, title }) => `${tone}: ${title}`);
}

function sentences(change: Partial<Situation>, language: Language): string[] {
  return wanting(change, language).map(({ sentence }) => sentence);
}

function wanting(change: Partial<Situation>, language: Language): Attention[] {
  const quiet: Situation = {
    now,
    queues: [email],
    pauses: new Map(),
    processes: [worker],
    schedules: [schedule],
    database,
    waiting_for_connection: 0,
    lost_mails: 0,
    engine_trouble: null,
    is_undecided: false,
    surroundings: { storage: null, scanner: undefined, clock: null },
    troubles: [],
    measured: [],
  };
  return attentionTo({ ...quiet, ...change }, speechIn(language, now));
}

describe('what wants an operator', () => {
  test('is nothing while all is well', () => {
    assert.deepEqual(titles(), []);
  });

  test('is a queue that stands still, but not one that is paused', () => {
    const still = { ...email, lag_seconds: 61 };
    assert.deepEqual(titles({ queues: [still] }), ['bad: The queue email stands still']);
    assert.deepEqual(titles({ queues: [still], pauses: new Map([['email', before(60)]]) }), [
      'warn: The queue email is paused',
    ]);
  });

  test('is a worker that died, for ten minutes, and no worker at all', () => {
    const silent = (seconds: number) => ({ ...worker, beat_at: before(seconds) });
    const alive = { ...silent(3), id: 'two' };
    assert.deepEqual(titles({ processes: [silent(31), alive] }), [
      'warn: A worker has died: workers (office-1 1)',
    ]);
    assert.deepEqual(titles({ processes: [silent(601), alive] }), []);
    assert.deepEqual(titles({ processes: [] }), ['bad: No worker is alive']);
  });

  test('is a schedule that fails or is overdue, but not one of an older release', () => {
    const failing = { ...schedule, failed_at: before(5), last_error: 'x' };
    assert.deepEqual(titles({ schedules: [failing] }), ['warn: The schedule expired_sessions fails']);
    const failed_once = { ...schedule, failed_at: before(5000), last_error: 'x' };
    assert.deepEqual(titles({ schedules: [failed_once] }), []);
    const overdue = { ...schedule, started_at: before(3661), finished_at: before(3660) };
    assert.deepEqual(titles({ schedules: [overdue] }), ['bad: The schedule expired_sessions is overdue']);
    const long_run = { ...schedule, started_at: before(3661), finished_at: before(7200) };
    assert.deepEqual(titles({ schedules: [long_run] }), []);
    const retired = { ...schedule, started_at: before(200_000), finished_at: before(200_000) };
    assert.deepEqual(titles({ schedules: [retired] }), []);
  });

  test('is a database near its limits', () => {
    assert.deepEqual(titles({ database: { ...database, connections: 85 } }), [
      'warn: The database runs out of connections',
    ]);
    assert.deepEqual(titles({ database: { ...database, connections: 97 } }), [
      'bad: The database runs out of connections',
    ]);
    assert.deepEqual(titles({ database: { ...database, longest_transaction_seconds: 301 } }), [
      'warn: A transaction stays open',
    ]);
    assert.deepEqual(titles({ waiting_for_connection: 1 }), ['warn: The pool has no free connection']);
  });

  test('is what refuses requests, with its sentence', () => {
    const sentence = 'The disk of PostgreSQL is full: make room.';
    const noted = { kind: 'disk_full' as const, sentence, count: 72, first_at: now, last_at: now };
    assert.deepEqual(titles({ troubles: [noted] }), ['bad: 72 requests were refused']);
  });

  test('is told in Japanese where the service says it: a schedule, a store, a clock, a full disk', () => {
    const sentence = 'The disk of PostgreSQL is full: free or add space. Nothing else is needed.';
    const noted = { kind: 'disk_full' as const, sentence, count: 1, first_at: now, last_at: now };
    const last_error = 'The mailbox of BOUNCE_MAILBOX_URL cannot be opened: the sign-in is refused';
    const surroundings = {
      storage: 'File storage does not answer: it is silent',
      scanner: 'clamd does not answer: connect ECONNREFUSED',
      clock: "The clock of this process is 90 seconds ahead of the database's: set it right",
    };
    const schedules = [{ ...schedule, failed_at: before(5), last_error }];
    const found = sentences({ troubles: [noted], surroundings, schedules }, 'ja').sort();
    assert.deepEqual(found, [
      'BOUNCE_MAILBOX_URL のメールボックスを開けません：サインインが拒否されました',
      'PostgreSQLのディスクがいっぱいです。空き容量を増やせば、ほかの操作なしで復旧します。（最後は0秒前）',
      'clamdが応答しません：connect ECONNREFUSED。アップロードは続けられますが、応答があるまでファイルは未検査のままです。',
      'このプロセスの時計が、データベースの時計より90秒進んでいます。時計を合わせてください。',
      'ファイルの保存先が応答しません：反応がありません。',
    ]);
  });

  test('is a store that does not answer, and a clock that is wrong', () => {
    const surroundings = {
      storage: 'File storage does not answer: x',
      scanner: undefined,
      clock: 'The clock is 2 minutes ahead',
    };
    assert.deepEqual(titles({ surroundings }), ['bad: Files cannot be kept', 'bad: The clock is wrong']);
    const scanner = 'clamd does not answer: connect ECONNREFUSED';
    assert.deepEqual(titles({ surroundings: { storage: null, scanner, clock: null } }), [
      'warn: Files are not scanned',
    ]);
  });

  test('stands in the order of its weight', () => {
    const queues = [{ ...email, failed: 1, lag_seconds: 90 }];
    assert.deepEqual(titles({ queues, lost_mails: 2, engine_trouble: { kind: 'away' } }), [
      'bad: The queues cannot be reached',
      'bad: The queue email stands still',
      'warn: A job was given up',
      'warn: 2 mails did not leave',
    ]);
  });

  test('is a restored database of which nobody has said what it is', () => {
    assert.deepEqual(titles({ is_undecided: true }), ['bad: This database was restored from a backup']);
  });
});
