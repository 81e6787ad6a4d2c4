import { resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Page } from 'puppeteer';
import { reasons } from '../../shared/platform/operators/reasons.ts';
import type { TryLater } from '../kernel/handler.ts';
import type { Browser } from './browser.ts';
import { type ChromiumPlace, chromiumPath } from './executable.ts';
import { preparedFonts } from './fonts.ts';
import { homesOf } from './homes.ts';
import { prepareChromium } from './prepare.ts';
import { memoryOfGroup } from './processes.ts';
import { Crashed, TooLong, TooMuchMemory } from './render-failures.ts';

export type { Page };

/** Renders pages with the one browser of this process. */
export type Renderer = {
  /**
   * Runs with a page, and once more with another one when Chromium ends meanwhile. Waits for its turn.
   * Errors, all to be tried later: `CannotStart`, `Crashed`, `TooLong`, `TooMuchMemory`; and what `run` throws.
   */
  render<T>(run: (page: Page) => Promise<T>, signal: AbortSignal): Promise<T>;
  /**
   * Makes ready what the first document would wait for, clears away what a worker that died has left, and says in the
   * log what stands against rendering; and later what a page asked for.
   */
  prepare(log: Logger): void;
  /** The browser's process; null while none runs. */
  pid(): number | null;
  /** Ends the browser; another one is started when a page is asked for again. */
  end(): Promise<void>;
};

export type RendererOptions = ChromiumPlace & {
  clock: () => Date;
  limits?: Partial<Limits>;
};

export type Limits = {
  /** Pages in use at a time. */
  pages: number;
  /** Milliseconds that one document may take. */
  time: number;
  /** Bytes that all of Chromium's processes may hold for themselves while a document is rendered. */
  memory: number;
  /** Documents after which the browser is started anew. */
  documents: number;
  /** Milliseconds without work after which it is ended. */
  idle: number;
};

const MIB = 1024 * 1024;

/** The heaviest document there can be, 1,000 lines of 500 letters on 505 pages, takes half of the memory and 5 s. */
const LIMITS: Limits = { pages: 2, time: 30_000, memory: 1536 * MIB, documents: 200, idle: 5 * 60_000 };

/** Milliseconds between two looks at the memory: most documents are done before the first. */
const LOOK = 500;

/** A renderer that starts Chromium with its first document. */
export function openRenderer(options: RendererOptions): Renderer {
  const limits = { ...LIMITS, ...options.limits };
  const waiting: (() => void)[] = [];
  let opening: Promise<Browser> | null = null;
  let current: Browser | null = null;
  let busy = 0;
  let used = 0;
  let idle: NodeJS.Timeout | undefined;
  let log: Logger | undefined;
  let is_warned = false;

  async function enter(signal: AbortSignal): Promise<void> {
    while (busy >= limits.pages || used >= limits.documents) {
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    clearTimeout(idle);
    busy += 1;
    used += 1;
    if (!signal.aborted) return;
    leave();
    signal.throwIfAborted();
  }

  function leave(): void {
    busy -= 1;
    const wake = () => {
      for (const resolve of waiting.splice(0)) resolve();
    };
    if (busy === 0 && used >= limits.documents) {
      end().finally(() => {
        used = 0;
        wake();
      });
      return;
    }
    if (busy === 0) idle = setTimeout(end, limits.idle).unref();
    wake();
  }

  async function open(): Promise<Browser> {
    if (current && !current.gone.aborted) return current;
    opening ??= launch().finally(() => {
      opening = null;
    });
    return opening;
  }

  async function launch(): Promise<Browser> {
    await current?.kill();
    current = null;
    const path = await chromiumPath(options, options.clock());
    const fonts = {
      prepared: await preparedFonts(options.data_dir, options.clock()),
      cache: resolve(options.data_dir, 'chromium', 'font-cache'),
    };
    // Processes that render nothing hold no puppeteer in memory either.
    const { launchBrowser } = await import('./browser.ts');
    const refused = (url: string) => log?.error({ url }, 'A page asked for what it is not given');
    current = await launchBrowser({ path, homes: homesOf(options.data_dir), fonts, refused, unsandboxed });
    used = busy;
    return current;
  }

  function unsandboxed(reason: string): void {
    if (is_warned) return;
    is_warned = true;
    log?.warn(
      { reason },
      'Chromium runs without its sandbox: run the workers as an account other than root, with user namespaces allowed',
    );
  }

  async function end(): Promise<void> {
    clearTimeout(idle);
    const browser = await (opening ?? current);
    if (browser === current) current = null;
    await browser?.kill();
  }

  async function once<T>(run: (page: Page) => Promise<T>, signal: AbortSignal): Promise<T> {
    await enter(signal);
    try {
      const browser = await open();
      return await bounded(browser, limits, () => browser.withPage(run));
    } finally {
      leave();
    }
  }

  return {
    async render(run, signal) {
      try {
        return await once(run, signal);
      } catch (error) {
        if (!(error instanceof Crashed)) throw error;
        return once(run, signal);
      }
    },
    prepare(said) {
      log = said;
      prepareChromium(options, said).catch((error) =>
        said.error({ reason: String(error) }, 'PDF files cannot be rendered here'),
      );
    },
    pid: () => current?.pid ?? null,
    end,
  };
}

/** Ends the whole browser where a document goes beyond its bounds: a page that is busy heeds nothing else. */
async function bounded<T>(browser: Browser, limits: Limits, run: () => Promise<T>): Promise<T> {
  const { promise: beyond, reject } = Promise.withResolvers<never>();
  const giveUp = (error: TryLater) => {
    reject(error);
    void browser.kill();
  };
  const timer = setTimeout(() => giveUp(new TooLong(reasons.pdf_took_too_long(limits.time).en)), limits.time);
  const look = setInterval(async () => {
    const memory = await memoryOfGroup(browser.pid);
    if (memory <= limits.memory) return;
    giveUp(new TooMuchMemory(reasons.pdf_took_too_much(Math.round(limits.memory / MIB)).en));
  }, LOOK);
  try {
    return await Promise.race([beyond, run()]);
  } finally {
    clearTimeout(timer);
    clearInterval(look);
  }
}
