import Router from '@koa/router';

const OPTIONS = { strict: true, sensitive: true };

/** Parts of a path that are the same for all calls about one thing, and hold no parameter: `/api/v1/cloud`. */
const FIXED = 3;

/**
 * The router of all endpoints. It tries those alone whose paths begin as the request's does: to try hundreds of patterns
 * one after the other takes 45 µs of each request.
 */
export class Routes extends Router {
  readonly #byBeginning = new Map<string, Router>();

  constructor() {
    super(OPTIONS);
  }

  override register(...[path, ...rest]: Parameters<Router['register']>): ReturnType<Router['register']> {
    const beginning = beginningOf(String(path));
    if (beginning.includes(':')) throw new Error(`${path} has a parameter among its first ${FIXED} parts`);
    const router = this.#byBeginning.get(beginning) ?? new Router(OPTIONS);
    this.#byBeginning.set(beginning, router);
    return router.register(path, ...rest);
  }

  override match(path: string, method: string): ReturnType<Router['match']> {
    const router = this.#byBeginning.get(beginningOf(path));
    return router?.match(path, method) ?? { path: [], pathAndMethod: [], route: false };
  }
}

function beginningOf(path: string): string {
  let end = 0;
  for (let part = 0; part < FIXED && end >= 0; part += 1) end = path.indexOf('/', end + 1);
  return end < 0 ? path : path.slice(0, end);
}
