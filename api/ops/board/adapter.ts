import type {
  AppControllerRoute,
  AppViewRoute,
  BullBoardQueues,
  ControllerHandlerReturnType,
  IServerAdapter,
  UIConfig,
} from '@bull-board/api/typings/app';
import type Router from '@koa/router';
import { boardFile, boardIndex } from './files.ts';

/** The board loads its own files and asks its own paths; styles are set on elements by its charts and tables. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Puts bull-board under a path, for looking alone: what it could change is not mounted. Its own adapter for Koa brings
 * a template engine for one page, which loads a font from elsewhere.
 */
export class ReadingAdapter implements IServerAdapter {
  readonly #base: string;
  #queues: BullBoardQueues = new Map();
  #config: UIConfig = {};
  #pages: AppViewRoute | undefined;
  #routes: AppControllerRoute[] = [];
  #errorOf: (error: Error) => ControllerHandlerReturnType = (error) => ({ status: 500, body: error.message });

  constructor(base: string) {
    this.#base = base;
  }

  setQueues(queues: BullBoardQueues): this {
    this.#queues = queues;
    return this;
  }

  setUIConfig(config: UIConfig): this {
    this.#config = config;
    return this;
  }

  setEntryRoute(route: AppViewRoute): this {
    this.#pages = route;
    return this;
  }

  setApiRoutes(routes: AppControllerRoute[]): this {
    this.#routes = routes;
    return this;
  }

  setErrorHandler(handler: (error: Error) => ControllerHandlerReturnType): this {
    this.#errorOf = handler;
    return this;
  }

  /** The files are found by this module itself. */
  setViewsPath(): this {
    return this;
  }

  setStaticPath(): this {
    return this;
  }

  /** Adds the board's paths to a router. */
  mount(router: Router): void {
    for (const path of [this.#pages?.route ?? []].flat()) {
      router.get(`${this.#base}${path === '/' ? '' : path}`, (context) => {
        context.set('Content-Security-Policy', POLICY);
        context.type = 'html';
        context.body = boardIndex(`${this.#base}/`, this.#config);
      });
    }
    router.get(`${this.#base}/static/*file`, (context) => {
      const file = boardFile(context.path.slice(`${this.#base}/static/`.length));
      if (!file) return;
      context.set('Cache-Control', 'private, max-age=86400');
      context.type = file.type;
      context.body = file.bytes;
    });
    for (const { method, route, handler } of this.#routes) {
      if (![method].flat().includes('get')) continue;
      for (const path of [route].flat()) {
        router.get(`${this.#base}${path}`, async (context) => {
          const { status = 200, body } = await this.#answered(handler, {
            queues: this.#queues,
            uiConfig: this.#config,
            body: {},
            params: context.params,
            query: context.query,
            headers: context.headers as Record<string, string | undefined>,
          });
          context.status = status;
          context.body = body;
        });
      }
    }
  }

  async #answered(
    handler: AppControllerRoute['handler'],
    request: Parameters<AppControllerRoute['handler']>[0],
  ): Promise<ControllerHandlerReturnType<unknown>> {
    try {
      return await handler(request);
    } catch (error) {
      return this.#errorOf(error as Error);
    }
  }
}
