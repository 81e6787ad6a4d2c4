import Router from '@koa/router';
import type { Middleware } from 'koa';
import type { ApiContext } from '../context.ts';
import { assetFiles } from './assets.ts';
import { boardOf } from './board/engine.ts';
import { boardPages } from './board/pages.ts';
import { operatorsOnly } from './guard.ts';
import { importPages } from './imports/pages.ts';
import { jobPages } from './jobs/pages.ts';
import { mailboxPages } from './mail/mailbox.ts';
import { mailPages } from './mail/trouble.ts';
import { overviewPage } from './overview.ts';
import { queuePages } from './queue.ts';
import { readable } from './readable.ts';
import { schedulePages } from './schedules.ts';

/** The pages for operators: everything at and below /ops, which nobody else gets an answer from. */
export function ops(context: ApiContext): Middleware {
  const guard = operatorsOnly(context);
  const board = boardOf(context);
  const router = new Router({ sensitive: true });
  assetFiles(router);
  overviewPage(router, context, board);
  queuePages(router, context, board);
  jobPages(router, context);
  schedulePages(router, context);
  importPages(router, context);
  mailPages(router, context);
  mailboxPages(router, context);
  boardPages(router, board);
  const routes = router.routes();
  return async function answerOperators(ctx, next) {
    if (ctx.path !== '/ops' && !ctx.path.startsWith('/ops/')) return next();
    await guard(ctx, () =>
      readable(context, ctx, () => routes(ctx as Parameters<typeof routes>[0], next) as Promise<void>),
    );
  };
}
