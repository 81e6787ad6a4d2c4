import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { Failure } from '../../shared/kernel/failure.ts';

/** What reaches this has no route: 405 with Allow where the path exists with other methods, else 404. */
export function noSuchEndpoint(router: Router): Middleware {
  return async function refuse(context) {
    const { path } = router.match(context.path, context.method);
    const methods = new Set(path.flatMap((layer) => layer.methods));
    if (methods.size === 0) throw new Failure('no_such_endpoint');
    const allowed = [...methods].join(', ');
    if (context.method === 'OPTIONS') {
      context.status = 204;
      context.set('Allow', allowed);
      return;
    }
    throw new Failure('method_not_allowed', {
      detail: {
        en: `${context.path} takes ${allowed}`,
        ja: `${context.path} で使えるメソッドは ${allowed} です`,
      },
      headers: { Allow: allowed },
    });
  };
}
