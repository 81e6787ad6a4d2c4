import Router from '@koa/router';
import { html } from 'ghtml';
import type { Context, Middleware } from 'koa';
import { failureOf } from '../../shared/db/constraint.ts';
import { failures } from '../../shared/kernel/failures.ts';
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
import { sendPage } from './page.ts';
import { queuePages } from './queue.ts';
import { schedulePages } from './schedules.ts';

/** The pages for operators: everything at and below /ops, which nobody else gets an answer from. */
export function ops(context: ApiContext): Middleware {
  const guard = operatorsOnly(context);
  const board = boardOf(context);
  const router = new Router();
  assetFiles(router);
  overviewPage(router, context, board);
  queuePages(router, context);
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
      readable(ctx, () => routes(ctx as Parameters<typeof routes>[0], next) as Promise<void>),
    );
  };
}

/**
 * A person at a browser is told in a page what cannot be shown as asked, and that the database is away; programs get
 * the problem itself.
 */
async function readable(context: Context, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const failure = failureOf(error);
    if (failure.code === 'internal_error' || context.accepts('json', 'html') !== 'html') throw error;
    context.set(failure.details.headers ?? {});
    const { title } = failures[failure.code];
    const body = html`<p>${failures[failure.code].help}</p>
<p><a href="/ops">Back to the overview</a></p>`;
    sendPage(context, { title, body, status: failure.status });
  }
}
