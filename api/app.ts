import Koa, { type Context } from 'koa';
import type { ApiContext } from './context.ts';
import { endpoints as everyEndpoint } from './endpoints.ts';
import { health } from './health.ts';
import { accessLog } from './http/access-log.ts';
import type { Endpoint } from './http/endpoint.ts';
import { mount } from './http/mount.ts';
import { noSuchEndpoint } from './http/no-such-endpoint.ts';
import { problems } from './http/problem.ts';
import { ops } from './ops/ops.ts';
import { docs } from './pages/docs/router.ts';
import { guestPages } from './pages/guests.ts';
import { peoplePages } from './pages/people/router.ts';
import { wrongPath } from './pages/wrong-path.ts';

/** Whether the caller went away, as one does who has read enough of a stream. */
function isGone({ code }: { code?: string }): boolean {
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE';
}

/** The order of the middleware, nothing else. */
export function apiApp(context: ApiContext, endpoints: readonly Endpoint[] = everyEndpoint): Koa {
  const app = new Koa();
  const router = mount(context, endpoints);
  app.use(accessLog(context));
  app.use(problems(context));
  app.use(wrongPath);
  // Before the pages, whose routers would try their patterns at each call of the API.
  app.use(router.routes());
  app.use(health(context).routes());
  app.use(ops(context));
  app.use(docs(context).routes());
  app.use(peoplePages(context).routes());
  app.use(guestPages(context).routes());
  app.use(noSuchEndpoint(router));
  app.on('error', (error, request?: Context) => {
    const level = isGone(error) ? 'debug' : 'warn';
    const { request_id } = request?.state ?? {};
    context.log[level]({ request_id, err: error }, 'The connection broke while answering');
  });
  return app;
}
