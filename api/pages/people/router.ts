import type Router from '@koa/router';
import type { ApiContext } from '../../context.ts';
import { pageRoutes } from '../kit/router.ts';
import { pages } from './pages.ts';
import { words } from './words.ts';

/** The pages where people sign up and in, accept invitations and manage their keys. */
export function peoplePages(context: ApiContext): Router {
  const label = { ja: words.ja.sign_in, en: words.en.sign_in };
  return pageRoutes(context, { pages, home: '/account', way_on: { path: '/sign-in', label } });
}
