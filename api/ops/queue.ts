import type Router from '@koa/router';
import { html } from 'ghtml';
import type { Context } from 'koa';
import { EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { notFound } from '../../shared/kernel/failure.ts';
import { type Queue, queues } from '../../shared/kernel/job.ts';
import { queueActivity } from '../../shared/operators/queue-activity.ts';
import { pauseQueue, queuePauses, resumeQueue } from '../../shared/operators/queue-pauses.ts';
import { queueNumbers } from '../../shared/outbox/numbers.ts';
import type { ApiContext } from '../context.ts';
import { count, duration, when } from './format.ts';
import { goTo, sendPage } from './page.ts';
import { badge, bars, facts, type Html, section } from './parts.ts';

/** One queue: how it stands, and whether it goes on. */
export function queuePages(router: Router, { database, log, now }: ApiContext): void {
  router.get('/ops/queues/:queue', async (context) => {
    const queue = queueOf(context);
    const at = now();
    const [numbers, activity, paused_at] = await database.withConnection(EVERY_ORGANIZATION, (connection) =>
      Promise.all([
        queueNumbers(connection, at).then((rows) => rows.find((row) => row.queue === queue)!),
        queueActivity(connection, at).then((byQueue) => byQueue.get(queue)),
        queuePauses(connection).then((pauses) => pauses.get(queue) ?? null),
      ]),
    );
    const { waiting, later, in_flight, failed, oldest_seconds, lag_seconds } = numbers;
    const { done, again, given_up, minutes } = activity ?? { done: 0, again: 0, given_up: 0, minutes: [] };
    const jobs = (state: string, number: number) =>
      html`<a href="/ops/jobs?state=${state}&queue=${queue}">${count(number)}</a>`;
    const body = html`!${section(
      'Now',
      facts({
        State: paused_at
          ? html`!${badge('Paused', 'warn')} since !${when(paused_at, at)}`
          : badge('Moving', 'good'),
        'Due in the outbox': jobs('due', waiting - later),
        'To be tried later': jobs('later', later),
        'Handed over': jobs('running', in_flight),
        'Given up': jobs('failed', failed),
        'Oldest job': oldest_seconds === null ? '–' : duration(oldest_seconds),
        'Not handed over for': lag_seconds === null ? '–' : duration(lag_seconds),
      }),
    )}
!${section(
      'Last hour',
      html`!${bars(minutes.length > 0 ? minutes : new Array(60).fill(0), `${count(done)} done in the last hour`)}
!${facts({ Done: count(done), 'Failed and tried again': count(again), 'Given up': count(given_up) })}`,
    )}
!${section('Pause and go on', paused_at ? resumeForm(queue) : pauseForm(queue))}`;
    sendPage(context, { title: `Queue ${queue}`, body });
  });

  router.post('/ops/queues/:queue/pause', async (context) => {
    const queue = queueOf(context);
    const changed = await database.withConnection(EVERY_ORGANIZATION, (connection) =>
      pauseQueue(connection, queue, now()),
    );
    if (changed) log.warn({ queue, request_id: context.state.request_id }, 'An operator has paused a queue');
    goTo(context, `/ops/queues/${queue}`);
  });

  router.post('/ops/queues/:queue/resume', async (context) => {
    const queue = queueOf(context);
    const changed = await database.withConnection(EVERY_ORGANIZATION, (connection) =>
      resumeQueue(connection, queue),
    );
    if (changed) log.warn({ queue, request_id: context.state.request_id }, 'An operator lets a queue go on');
    goTo(context, `/ops/queues/${queue}`);
  });
}

function queueOf(context: Context & { params: Record<string, string> }): Queue {
  const queue = queues.find((known) => known === context.params.queue);
  if (!queue) throw notFound();
  return queue;
}

function pauseForm(queue: Queue): Html {
  return html`<p>Jobs that run now end as usual. Nothing more of this queue is begun until you let it go on; jobs wait in the outbox and none is lost.</p>
<form method="post" action="/ops/queues/${queue}/pause"><button class="danger">Pause ${queue}</button></form>`;
}

function resumeForm(queue: Queue): Html {
  return html`<p>Jobs wait in the outbox. They are handed over, the oldest first, as soon as the queue goes on.</p>
<form method="post" action="/ops/queues/${queue}/resume"><button class="main">Let ${queue} go on</button></form>`;
}
