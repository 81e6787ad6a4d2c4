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
import { ago, count, duration, when } from './format.ts';
import { isServed, processName, stateOf } from './overview-parts.ts';
import { goTo, sendPage } from './page.ts';
import { facts, figures, type Html, hourChart, nothing, section, table } from './parts.ts';

/** One queue: its state, and whether it is paused. */
export function queuePages(router: Router, { database, log, now }: ApiContext, board: Board): void {
  router.get('/ops/queues/:queue', async (context) => {
    const queue = queueOf(context);
    const at = now();
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
    const state = stateOf(numbers, {
      is_paused: paused_at !== null,
      is_served: isServed(queue, processes, at),
      is_stuck: (await board.trouble()) !== null,
    });
    const body = html`<div data-live="numbers">!${numberTiles(numbers)}</div>
!${section(
      'Last hour',
      html`<div data-live="hour">!${hourChart(minutes.length > 0 ? minutes : new Array(60).fill(0), `${count(done)} done in the last hour`)}
!${facts({ Done: count(done), 'Failed and tried again': count(again), 'Given up': count(given_up) })}</div>`,
    )}
!${section('Workers that take its jobs', html`<div data-live="workers">!${servingList(queue, processes, at)}</div>`)}
!${section('Pause and go on', queue === 'email' && is_undecided ? RESTORED : paused_at ? resumeForm(queue, when(paused_at, at)) : pauseForm(queue))}`;
    const aside = html`<span data-live="state">!${state}</span> <span data-live-control></span>`;
    const within = { path: '/ops', label: 'Overview' };
    sendPage(context, { title: `Queue ${queue}`, body, aside, within, live: true });
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

function numberTiles({
  queue,
  waiting,
  later,
  in_flight,
  failed,
  oldest_seconds,
  lag_seconds,
}: QueueNumbers): Html {
  const path = (state: string) => `/ops/jobs?state=${state}&queue=${queue}`;
  const age = (seconds: number | null) => (seconds === null ? '–' : duration(seconds));
  return figures([
    { name: 'Due', figure: count(waiting - later), note: 'in the outbox', path: path('due') },
    { name: 'Later', figure: count(later), note: 'tried again then', path: path('later') },
    { name: 'Handed over', figure: count(in_flight), note: 'queued or begun', path: path('running') },
    {
      name: 'Given up',
      figure: count(failed),
      note: 'to retry or discard',
      path: path('failed'),
      tone: failed > 0 ? 'warn' : 'calm',
    },
    { name: 'Oldest job', figure: age(oldest_seconds), note: 'since requested' },
    {
      name: 'Lag',
      figure: age(lag_seconds),
      note: 'of the oldest due job',
      tone: (lag_seconds ?? 0) > 60 ? 'bad' : 'calm',
    },
  ]);
}

/** The processes that are alive and take jobs of the queue, with what each has in hand of it. */
function servingList(queue: Queue, processes: readonly WorkerProcess[], now: Date): Html {
  const serving = processes.filter((each) => isAlive(each, now) && each.queues.includes(queue));
  if (serving.length === 0)
    return nothing('None. Its jobs wait until a process of workers takes this queue.');
  return table({
    caption: 'Processes of workers that take jobs of this queue',
    columns: [
      { label: 'Process', kind: 'term' },
      { label: 'Queues' },
      { label: 'Jobs in hand', kind: 'number' },
      { label: 'Last heard' },
    ],
    rows: serving.map((process) => [
      processName(process),
      html`${process.queues.join(', ')}`,
      count(process.running.length),
      ago(process.beat_at, now),
    ]),
  });
}

function pauseForm(queue: Queue): Html {
  return html`<p>Jobs that run now end as usual. Nothing more of this queue is begun until you let it go on; jobs wait in the outbox and none is lost.</p>
<form method="post" action="/ops/queues/${queue}/pause"><button class="danger">Pause ${queue}</button></form>`;
}

function resumeForm(queue: Queue, since: Html): Html {
  return html`<p>Paused since !${since}. Jobs wait in the outbox. They are handed over, the oldest first, as soon as the queue goes on.</p>
<form method="post" action="/ops/queues/${queue}/resume"><button class="main">Let ${queue} go on</button></form>`;
}

/** The queue of a restored database resumes with a decision, which its page cannot make. */
const RESTORED = html`<p>This database was restored from a backup, so no mail is sent: its original may have sent it. Say at the command line what this installation is.</p>
<p>The original is gone: <code>npm run installation -- take-over</code>, with <code>--discard-mails</code> where mails that waited in the backup must not be sent.</p>
<p>The original goes on: <code>npm run installation -- separate</code>.</p>`;
