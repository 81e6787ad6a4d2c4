import type Router from '@koa/router';
import { sharePages } from '../cloud/pages/pages.ts';
import type { ApiContext } from '../context.ts';
import { formPages } from '../forms/pages/pages.ts';
import { serveFormScripts } from '../forms/pages/scripts.ts';
import { mailPages } from '../mail/pages/pages.ts';
import { bookingPages } from '../scheduler/pages/pages.ts';
import { signPages } from '../sign/pages/pages.ts';
import { serveSignScripts } from '../sign/pages/scripts.ts';
import { pageRoutes } from './kit/router.ts';

/** The pages for guests of the domains, a line a domain. Their visitors know the service by nothing but a link. */
export function guestPages(context: ApiContext): Router {
  const router = pageRoutes(context, {
    pages: [...sharePages, ...mailPages, ...bookingPages, ...signPages, ...formPages],
    home: null,
  });
  serveSignScripts(router);
  serveFormScripts(router);
  return router;
}
