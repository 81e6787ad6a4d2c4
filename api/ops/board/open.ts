import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import Router from '@koa/router';
import type { Queue } from '../../../shared/kernel/job.ts';
import { queueNames } from '../../../shared/platform/queues.ts';
import type { Backend } from '../../../workers/kernel/backend.ts';
import { ReadingAdapter } from './adapter.ts';
import type { Board } from './engine.ts';

/** Puts bull-board under `base`, for looking at the tickets in the queues alone. */
export function openBoard(
  base: string,
  engine: Board['engine'],
  backend: Backend,
): ReturnType<Router['routes']> {
  const router = new Router();
  const serverAdapter = new ReadingAdapter(base);
  createBullBoard({
    queues: queueNames.map((name) => lookedAt(backend, name)),
    serverAdapter,
    options: {
      uiConfig: {
        boardTitle: 'Queue board',
        hideDocsLink: true,
        hideRedisDetails: engine !== 'redis',
        miscLinks: [{ text: 'Operations', url: '/ops' }],
        favIcon: { default: 'data:,', alternative: 'data:,' },
      },
    },
  });
  serverAdapter.mount(router);
  return router.routes();
}

/** A queue that nothing can be changed in, whose tickets lead to the pages about their deliveries. */
function lookedAt(backend: Backend, name: Queue): BullMQAdapter {
  return new BullMQAdapter(backend.queue(name), {
    readOnlyMode: true,
    externalJobUrl: (job) => ({
      displayText: 'Delivery',
      href: `/ops/jobs/${job.data.organization_id}/${job.data.delivery_id}`,
    }),
  });
}
