import type { DatabaseState } from '../../shared/platform/operators/database-state.ts';
import type { Measured } from '../../shared/platform/operators/measure.ts';
import { isFailing, isOverdue, type ScheduleState } from '../../shared/platform/operators/schedules.ts';
import { isAlive, type WorkerProcess } from '../../shared/platform/operators/worker-processes.ts';
import type { QueueNumbers } from '../../shared/platform/outbox/numbers.ts';
import { type Attention, type Lacks, ofSurroundings, ofTroubles } from './attention-surroundings.ts';
import type { EngineTrouble } from './board/engine.ts';
import { reasonText } from './reasons.ts';
import { count, percent, type Speech } from './speech.ts';

export type Situation = Lacks & {
  now: Date;
  queues: readonly QueueNumbers[];
  /** Since when each paused queue is. */
  pauses: ReadonlyMap<string, string>;
  processes: readonly WorkerProcess[];
  schedules: readonly ScheduleState[];
  database: DatabaseState;
  /** Callers of this process that wait for a connection. */
  waiting_for_connection: number;
  lost_mails: number;
  engine_trouble: EngineTrouble | null;
  /** Whether the database was restored and nobody has decided what it is. */
  is_undecided: boolean;
  measured: readonly Measured[];
};

/** Seconds that a due job may wait for its dispatch, and that a transaction may be open. */
const MOST_LAG = 60;
const LONG_TRANSACTION = 300;

/** Milliseconds for which a process that died without a word is listed. */
const RECENT = 600_000;

/** What an operator should look at, the worst first. Empty when all is well. */
export function attentionTo(situation: Situation, speech: Speech): Attention[] {
  const found = [
    ...ofEngine(situation, speech),
    ...ofWorkers(situation, speech),
    ...ofQueues(situation, speech),
    ...ofSchedules(situation, speech),
    ...ofDatabase(situation, speech),
    ...ofMails(situation, speech),
    ...ofMeasures(situation, speech),
    ...ofInstallation(situation, speech),
    ...ofSurroundings(situation, speech),
    ...ofTroubles(situation, speech),
  ];
  return found.sort((left, right) => left.tone.localeCompare(right.tone));
}

function ofEngine({ engine_trouble }: Situation, { say }: Speech): Attention[] {
  if (engine_trouble === null) return [];
  const path = '/ops/board';
  if (engine_trouble.kind === 'away') {
    const sentence = say({
      en: 'Redis does not answer. Jobs are safe in the outbox and go on when it is back.',
      ja: 'Redisが応答しません。ジョブは送信箱に保存されており、復旧すると再開します。',
    });
    return [
      {
        tone: 'bad',
        title: say({ en: 'The queues cannot be reached', ja: 'キューに接続できません' }),
        sentence,
        path,
      },
    ];
  }
  const words = engine_trouble.words.replace(/\.$/, '');
  const sentence = say({
    en: `${words}. Jobs are safe in the outbox and go on when Redis takes writes.`,
    ja: `${words}。ジョブは送信箱に保存されており、Redisが書き込みを受け付けると再開します。`,
  });
  const title = say({
    en: 'Redis refuses what the queues write',
    ja: 'Redisがキューの書き込みを拒否しています',
  });
  return [{ tone: 'bad', title, sentence, path }];
}

function ofWorkers({ processes, now }: Situation, { say, duration }: Speech): Attention[] {
  const path = '/ops#workers';
  const found: Attention[] = [];
  const isSomebodyAlive = processes.some((process) => isAlive(process, now));
  if (!isSomebodyAlive) {
    const sentence = say({
      en: 'No process has told of itself for half a minute: jobs wait, schedules do not run.',
      ja: '30秒間、どのプロセスからも連絡がありません。ジョブは待機し、定期処理は実行されません。',
    });
    const title = say({ en: 'No worker is alive', ja: '稼働中のワーカーがありません' });
    found.push({ tone: 'bad', title, sentence, path });
  }
  for (const process of processes) {
    const silent = now.getTime() - Date.parse(process.beat_at);
    if (isAlive(process, now) || silent > RECENT) continue;
    const { name, host, pid, running } = process;
    const left = running.length === 1 ? '1 job' : `${running.length} jobs`;
    const work = say(
      running.length === 0
        ? {
            en: 'Its jobs were taken up by others, or it had none.',
            ja: '処理中のジョブはほかのワーカーが引き継いだか、ありませんでした。',
          }
        : {
            en: `It had ${left} in hand that another one takes up.`,
            ja: `処理中だった${running.length}件のジョブは、ほかのワーカーが引き継ぎます。`,
          },
    );
    const since = duration(silent / 1000);
    const sentence = say({
      en: `It fell silent ${since} ago. ${work}`,
      ja: `${since}前から応答がありません。${work}`,
    });
    const title = say({
      en: `A worker has died: ${name ?? 'unnamed'} (${host} ${pid})`,
      ja: `ワーカーが停止しました：${name ?? '名前なし'}（${host} ${pid}）`,
    });
    found.push({ tone: 'warn', title, sentence, path });
  }
  return found;
}

function ofQueues({ queues, pauses, now }: Situation, { say, duration }: Speech): Attention[] {
  const found: Attention[] = [];
  for (const { queue, lag_seconds, waiting } of queues) {
    const paused_at = pauses.get(queue);
    const path = `/ops/queues/${queue}`;
    if (paused_at) {
      const since = duration((now.getTime() - Date.parse(paused_at)) / 1000);
      const sentence = say({
        en: `For ${since}; ${count(waiting)} jobs wait.`,
        ja: `${since}前から。${count(waiting)}件のジョブが待機しています。`,
      });
      const title = say({ en: `The queue ${queue} is paused`, ja: `キュー ${queue} は一時停止中です` });
      found.push({ tone: 'warn', title, sentence, path });
    } else if ((lag_seconds ?? 0) > MOST_LAG) {
      const lag = duration(lag_seconds ?? 0);
      const sentence = say({
        en: `The oldest job has waited ${lag} to be handed over.`,
        ja: `最も古いジョブが、引き渡しを${lag}待っています。`,
      });
      const title = say({ en: `The queue ${queue} stands still`, ja: `キュー ${queue} が停滞しています` });
      found.push({ tone: 'bad', title, sentence, path });
    }
  }
  const failed = queues.reduce((total, queue) => total + queue.failed, 0);
  if (failed > 0) {
    const sentence = say({
      en: 'They stay until somebody retries or discards them.',
      ja: '再実行または破棄するまで残ります。',
    });
    const title = say({
      en: failed === 1 ? 'A job was given up' : `${count(failed)} jobs were given up`,
      ja: `${count(failed)}件のジョブを中止しました`,
    });
    found.push({ tone: 'warn', title, sentence, path: '/ops/jobs?state=failed' });
  }
  return found;
}

function ofSchedules({ schedules, now }: Situation, { say }: Speech): Attention[] {
  const path = '/ops/schedules';
  return schedules.flatMap((schedule): Attention[] => {
    const { name, last_error } = schedule;
    if (isOverdue(schedule, now)) {
      const sentence = say({
        en: 'Its time has come and nobody runs it.',
        ja: '予定の時刻を過ぎても実行されていません。',
      });
      const title = say({ en: `The schedule ${name} is overdue`, ja: `定期処理 ${name} が遅れています` });
      return [{ tone: 'bad', title, sentence, path }];
    }
    if (!isFailing(schedule)) return [];
    const title = say({ en: `The schedule ${name} fails`, ja: `定期処理 ${name} が失敗しています` });
    return [{ tone: 'warn', title, sentence: last_error === null ? '' : say(reasonText(last_error)), path }];
  });
}

function ofDatabase({ database, waiting_for_connection }: Situation, { say, duration }: Speech): Attention[] {
  const { connections, max_connections, longest_transaction_seconds, longest_transaction_by } = database;
  const path = '/ops#database';
  const found: Attention[] = [];
  const used = connections / max_connections;
  if (used > 0.8) {
    const tone = used > 0.95 ? 'bad' : 'warn';
    const sentence = say({
      en: `${count(connections)} of ${count(max_connections)} (${percent(used)}) are in use.`,
      ja: `${count(max_connections)}本のうち${count(connections)}本（${percent(used)}）を使用中です。`,
    });
    const title = say({
      en: 'The database runs out of connections',
      ja: 'データベースの接続が残り少なくなっています',
    });
    found.push({ tone, title, sentence, path });
  }
  if ((longest_transaction_seconds ?? 0) > LONG_TRANSACTION) {
    const held = duration(longest_transaction_seconds ?? 0);
    const sentence = say({
      en: `${longest_transaction_by || 'Somebody'} has held one for ${held}: nothing behind it can be cleaned up.`,
      ja: `${longest_transaction_by || '利用者'}が${held}前から開いています。それ以降の不要な行を片付けられません。`,
    });
    const title = say({ en: 'A transaction stays open', ja: '終わらないトランザクションがあります' });
    found.push({ tone: 'warn', title, sentence, path });
  }
  if (waiting_for_connection > 0) {
    const sentence = say({
      en: `${count(waiting_for_connection)} requests of this process wait for one.`,
      ja: `このプロセスの${count(waiting_for_connection)}件の要求が待っています。`,
    });
    const title = say({ en: 'The pool has no free connection', ja: 'プールに空いている接続がありません' });
    found.push({ tone: 'warn', title, sentence, path });
  }
  return found;
}

function ofMails({ lost_mails }: Situation, { say }: Speech): Attention[] {
  if (lost_mails === 0) return [];
  const title = say({
    en: lost_mails === 1 ? 'A mail did not leave' : `${count(lost_mails)} mails did not leave`,
    ja: `${count(lost_mails)}通のメールが送られていません`,
  });
  const sentence = say({
    en: 'In the last 24 hours: refused for good, or nobody knows whether they arrived.',
    ja: '直近24時間に、拒否されたか、届いたかどうか分からないメールです。',
  });
  return [{ tone: 'warn', title, sentence, path: '/ops/mails' }];
}

/** What the domains say of their own numbers. */
function ofMeasures({ measured }: Situation, { say }: Speech): Attention[] {
  return measured.flatMap(({ measure: { alarm }, value }): Attention[] => {
    if (!alarm || value === 0) return [];
    const { tone, title, sentence, path } = alarm;
    return [{ tone, title: say(title(value)), sentence: say(sentence), path }];
  });
}

function ofInstallation({ is_undecided }: Situation, { say }: Speech): Attention[] {
  if (!is_undecided) return [];
  const sentence = say({
    en: 'No mail is sent and no earlier file is removed until npm run installation decides what this copy is.',
    ja: 'npm run installation でこの複製の扱いを決めるまで、メールは送られず、以前のファイルも削除されません。',
  });
  const title = say({
    en: 'This database was restored from a backup',
    ja: 'このデータベースはバックアップから復元されています',
  });
  return [{ tone: 'bad', title, sentence, path: '/ops/queues/email' }];
}
