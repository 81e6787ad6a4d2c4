import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type Router from '@koa/router';
import { html } from 'ghtml';
import { Failure } from '../../../shared/kernel/failure.ts';
import { queues } from '../../../shared/kernel/job.ts';
import { sendPage } from '../page.ts';
import { ReadingAdapter } from './adapter.ts';
import type { Board } from './engine.ts';

const BASE = '/ops/board';

/** bull-board, for looking at the tickets in the queues; retry, discard and pause are on the pages of this place. */
export function boardPages(router: Router, board: Board): void {
  let isOpen = false;
  const adapter = new ReadingAdapter(BASE);
  const { setQueues } = createBullBoard({
    queues: [],
    serverAdapter: adapter,
    options: {
      uiConfig: {
        boardTitle: 'Queue board',
        hideDocsLink: true,
        miscLinks: [{ text: 'Operations', url: '/ops' }],
        favIcon: { default: 'data:,', alternative: 'data:,' },
      },
    },
  });
  adapter.mount(router, async (context, next) => {
    if (!(await board.answers())) {
      if (context.path.startsWith(`${BASE}/api/`)) throw new Failure('unavailable');
      return sendPage(context, { title: 'Queue board', body: AWAY, status: 503 });
    }
    if (!isOpen) setQueues(queues.map(lookedAt));
    isOpen = true;
    await next();
  });

  /** A queue for looking alone, whose tickets lead to the pages about their deliveries. */
  function lookedAt(name: (typeof queues)[number]): BullMQAdapter {
    return new BullMQAdapter(board.backend().queue(name), {
      readOnlyMode: true,
      externalJobUrl: (job) => ({
        displayText: 'Delivery',
        href: `/ops/jobs/${job.data.organization_id}/${job.data.delivery_id}`,
      }),
    });
  }
}

const AWAY = html`<p>Redis does not answer, so there are no queues to look at just now.</p>
<p>Nothing is lost: every job stands in the outbox, and goes on when Redis is back. <a href="/ops/jobs?state=due">The jobs that are due</a></p>`;
