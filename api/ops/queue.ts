import type Router from '@koa/router';
import { html } from 'ghtml';
import type { Context } from 'koa';
import { EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { notFound } from '../../shared/kernel/failure.ts';
import type { Queue } from '../../shared/kernel/job.ts';
import { installationState } from '../../shared/platform/installation/installation.ts';
import { queueActivity } from '../../shared/platform/operators/queue-activity.ts';
import { pauseQueue, queuePauses, resumeQueue } from '../../shared/platform/operators/queue-pauses.ts';
import {
  isAlive,
  processesAtWork,
  type WorkerProcess,
} from '../../shared/platform/operators/worker-processes.ts';
import { type QueueNumbers, queueNumbers } from '../../shared/platform/outbox/numbers.ts';
import { queueNames } from '../../shared/platform/queues.ts';
import type { ApiContext } from '../context.ts';
import type { Board } from './board/engine.ts';
import { doneInHour, isServed, processName, stateOf } from './overview-parts.ts';
import { goTo, places, sendPage, speechOf } from './page.ts';
import { facts, figures, type Html, hourChart, nothing, section, table } from './parts.ts';
import { count, type Speech } from './speech.ts';

/** One queue: its state, and whether it is paused. */
export function queuePages(router: Router, { database, log, now }: ApiContext, board: Board): void {
  router.get('/ops/queues/:queue', async (context) => {
    const queue = queueOf(context);
    const speech = speechOf(context, now());
    const { say, now: at } = speech;
    const [numbers, activity, paused_at, processes, { is_undecided }] = await database.withConnection(
      EVERY_ORGANIZATION,
      (connection) =>
        Promise.all([
          queueNumbers(connection, at).then((rows) => rows.find((row) => row.queue === queue)!),
          queueActivity(connection, at).then((byQueue) => byQueue.get(queue)),
          queuePauses(connection).then((pauses) => pauses.get(queue) ?? null),
          processesAtWork(connection, at),
          installationState(connection),
        ]),
    );
    const { done, again, given_up, minutes } = activity ?? { done: 0, again: 0, given_up: 0, minutes: [] };
    const state = stateOf(speech, numbers, {
      is_paused: paused_at !== null,
      is_served: isServed(queue, processes, at),
      is_stuck: (await board.trouble()) !== null,
    });
    const chart = hourChart(
      speech,
      minutes.length > 0 ? minutes : new Array(60).fill(0),
      say(doneInHour(done)),
    );
    const figuresOfHour = facts(speech, [
      [{ en: 'Done', ja: '完了' }, count(done)],
      [{ en: 'Failed and tried again', ja: '失敗して再試行' }, count(again)],
      [{ en: 'Given up', ja: '中止' }, count(given_up)],
    ]);
    const whether = queue === 'email' && is_undecided ? restored(speech) : pausing(speech, queue, paused_at);
    const body = html`<div data-live="numbers">!${numberTiles(speech, numbers)}</div>
!${section(speech, { en: 'Last hour', ja: '直近1時間' }, html`<div data-live="hour">!${chart}!${figuresOfHour}</div>`)}
!${section(speech, { en: 'Workers that take its jobs', ja: 'このキューを処理するワーカー' }, html`<div data-live="workers">!${servingList(speech, queue, processes)}</div>`)}
!${section(speech, { en: 'Pause and go on', ja: '一時停止と再開' }, whether)}`;
    const aside = html`<span data-live="state">!${state}</span>`;
    const title = say({ en: `Queue ${queue}`, ja: `キュー ${queue}` });
    sendPage(context, { title, body, aside, within: places.overview, live: true });
  });

  router.post('/ops/queues/:queue/pause', async (context) => {
    const queue = queueOf(context);
    const changed = await database.withConnection(EVERY_ORGANIZATION, (connection) =>
      pauseQueue(connection, queue, now()),
    );
    if (changed) log.warn({ queue, request_id: context.state.request_id }, 'An operator paused a queue');
    goTo(context, `/ops/queues/${queue}`);
  });

  router.post('/ops/queues/:queue/resume', async (context) => {
    const queue = queueOf(context);
    const changed = await database.withConnection(EVERY_ORGANIZATION, (connection) =>
      resumeQueue(connection, queue),
    );
    if (changed) log.warn({ queue, request_id: context.state.request_id }, 'An operator resumed a queue');
    goTo(context, `/ops/queues/${queue}`);
  });
}

function queueOf(context: Context & { params: Record<string, string> }): Queue {
  const queue = queueNames.find((known) => known === context.params.queue);
  if (!queue) throw notFound();
  return queue;
}

function numberTiles(speech: Speech, numbers: QueueNumbers): Html {
  const { queue, waiting, later, in_flight, failed, oldest_seconds, lag_seconds } = numbers;
  const path = (state: string) => `/ops/jobs?state=${state}&queue=${queue}`;
  const age = (seconds: number | null) => (seconds === null ? '–' : speech.duration(seconds));
  return figures(speech, [
    {
      name: { en: 'Due', ja: '実行待ち' },
      figure: count(waiting - later),
      note: { en: 'in the outbox', ja: '送信箱にあるもの' },
      path: path('due'),
    },
    {
      name: { en: 'Later', ja: '再試行待ち' },
      figure: count(later),
      note: { en: 'tried again then', ja: '時刻になると再試行' },
      path: path('later'),
    },
    {
      name: { en: 'Handed over', ja: '引き渡し済み' },
      figure: count(in_flight),
      note: { en: 'queued or begun', ja: '待機中または実行中' },
      path: path('running'),
    },
    {
      name: { en: 'Given up', ja: '中止' },
      figure: count(failed),
      note: { en: 'to retry or discard', ja: '再実行または破棄が必要' },
      path: path('failed'),
      tone: failed > 0 ? 'warn' : 'calm',
    },
    {
      name: { en: 'Oldest job', ja: '最も古いジョブ' },
      figure: age(oldest_seconds),
      note: { en: 'since requested', ja: '依頼からの時間' },
    },
    {
      name: { en: 'Lag', ja: '遅れ' },
      figure: age(lag_seconds),
      note: { en: 'of the oldest due job', ja: '最も古い実行待ちのジョブ' },
      tone: (lag_seconds ?? 0) > 60 ? 'bad' : 'calm',
    },
  ]);
}

/** The processes that are alive and take jobs of the queue, with what each has in hand of it. */
function servingList(speech: Speech, queue: Queue, processes: readonly WorkerProcess[]): Html {
  const serving = processes.filter((each) => isAlive(each, speech.now) && each.queues.includes(queue));
  if (serving.length === 0) {
    return nothing(speech, {
      en: 'None. Its jobs wait until a process of workers takes this queue.',
      ja: 'ありません。このキューを処理するワーカーが起動するまで、ジョブは待機します。',
    });
  }
  return table(speech, {
    caption: {
      en: 'Processes of workers that take jobs of this queue',
      ja: 'このキューを処理するワーカーのプロセス',
    },
    columns: [
      { label: { en: 'Process', ja: 'プロセス' }, kind: 'term' },
      { label: { en: 'Queues', ja: 'キュー' } },
      { label: { en: 'Jobs in hand', ja: '処理中のジョブ' }, kind: 'number' },
      { label: { en: 'Last heard', ja: '最後の連絡' } },
    ],
    rows: serving.map((process) => [
      processName(process),
      html`${process.queues.join(', ')}`,
      count(process.running.length),
      speech.ago(process.beat_at),
    ]),
  });
}

/** The way to pause the queue, or to let it go on. */
function pausing({ say, when }: Speech, queue: Queue, paused_at: string | null): Html {
  if (paused_at === null) {
    const words = say({
      en: 'Jobs that run now end as usual. Nothing more of this queue is begun until you let it go on; jobs wait in the outbox and none is lost.',
      ja: '実行中のジョブは最後まで行います。再開するまで、このキューのジョブは新しく始まりません。ジョブは送信箱で待機し、失われません。',
    });
    const pause = say({ en: `Pause ${queue}`, ja: `${queue} を一時停止` });
    return html`<p>${words}</p>
<form method="post" action="/ops/queues/${queue}/pause"><button class="danger">${pause}</button></form>`;
  }
  const since = say({ en: 'Paused since', ja: '一時停止した時刻：' });
  const words = say({
    en: 'Jobs wait in the outbox. They are handed over, the oldest first, as soon as the queue goes on.',
    ja: 'ジョブは送信箱で待機しています。再開すると、古いものから引き渡されます。',
  });
  const go_on = say({ en: `Let ${queue} go on`, ja: `${queue} を再開` });
  return html`<p>${since} !${when(paused_at)}. ${words}</p>
<form method="post" action="/ops/queues/${queue}/resume"><button class="main">${go_on}</button></form>`;
}

/** The queue of a restored database resumes with a decision, which its page cannot make. */
function restored({ say }: Speech): Html {
  const words = say({
    en: 'This database was restored from a backup, so no mail is sent: its original may have sent it. Say at the command line what this installation is.',
    ja: 'このデータベースはバックアップから復元されたため、メールは送られません。元のものがすでに送っている可能性があります。この環境の扱いをコマンドで決めてください。',
  });
  const gone = say({ en: 'The original is gone:', ja: '元のものはもうない：' });
  const where = say({
    en: 'where mails that waited in the backup must not be sent, with',
    ja: 'バックアップで待機していたメールを送らない場合は',
  });
  const goes_on = say({ en: 'The original goes on:', ja: '元のものも動いている：' });
  return html`<p>${words}</p>
<p>${gone} <code>npm run installation -- take-over</code> (${where} <code>--discard-mails</code>)</p>
<p>${goes_on} <code>npm run installation -- separate</code></p>`;
}
