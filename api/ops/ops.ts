import Router from '@koa/router';
import type { Middleware } from 'koa';
import type { ApiContext } from '../context.ts';
import { operatorsOnly } from './guard.ts';
import { mailboxPages } from './mailbox.ts';
import { mailPages } from './mails.ts';
import { queuePages } from './queues.ts';

/** The pages for operators: everything at and below /ops, which nobody else gets an answer from. */
export function ops(context: ApiContext): Middleware {
  const guard = operatorsOnly(context);
  const router = new Router();
  queuePages(router, context);
  mailPages(router, context);
  mailboxPages(router, context);
  const routes = router.routes();
  return async function answerOperators(ctx, next) {
    if (ctx.path !== '/ops' && !ctx.path.startsWith('/ops/')) return next();
    await guard(ctx, () => routes(ctx as Parameters<typeof routes>[0], next) as Promise<void>);
  };
}
