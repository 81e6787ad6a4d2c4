import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import puppeteer, { type Browser as Chromium, type Page } from 'puppeteer';
import { reasons } from '../../shared/platform/operators/reasons.ts';
import { complaintOf } from './complaint.ts';
import { type FontPlaces, writeFontsConf } from './fonts.ts';
import { makeHome, markHome } from './homes.ts';
import { killGroup } from './processes.ts';
import { CannotStart, Crashed } from './render-failures.ts';

/** A running Chromium and its pages. */
export type Browser = {
  pid: number;
  /** Runs with a page of its own among those of the browser, made once and used again. Throws `Crashed`. */
  withPage<T>(run: (page: Page) => Promise<T>): Promise<T>;
  /** Aborted when the browser has gone, whatever the cause. */
  gone: AbortSignal;
  /** Ends all its processes at once and removes what they wrote. */
  kill(): Promise<void>;
};

export type Launching = {
  /** The binary. */
  path: string;
  /** The folder in which each browser gets one of its own. */
  homes: string;
  /** The fonts whose letters are distinguished, and fontconfig's list of all fonts. */
  fonts: Omit<FontPlaces, 'home'>;
  /** Told each address that a page asked for and did not get. */
  refused: (url: string) => void;
  /** Called with Chromium's reason when it runs without its sandbox. */
  unsandboxed: (reason: string) => void;
};

/** Milliseconds: a busy machine may take long to read what Chromium is made of. */
const START = 60_000;

/**
 * Nothing on a page can reach anything: names lead nowhere, and every connection goes to a proxy that is not there.
 * That pages ask for nothing but data is seen to by each page.
 */
const ARGUMENTS = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=socks5://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  '--disable-gpu',
  '--font-render-hinting=none',
  '--no-pings',
];

/** Variables that a program needs to run at all. The service's own, with its secrets, are not handed on. */
const HANDED_ON = ['PATH', 'LD_LIBRARY_PATH', 'TMPDIR', 'TZ'];

/** Starts Chromium, with its sandbox where the machine allows one. Errors: `CannotStart`, `Crashed`. */
export async function launchBrowser({
  path,
  homes,
  fonts,
  refused,
  unsandboxed,
}: Launching): Promise<Browser> {
  const home = await makeHome(homes);
  const clear = () => rm(home, { recursive: true, force: true, maxRetries: 3 });
  const chromium = await start({ path, home, fonts, unsandboxed }).catch(async (error) => {
    await clear();
    throw new CannotStart(reasons.no_chromium(reasonOf(error)).en, { cause: error });
  });
  const gone = new AbortController();
  chromium.once('disconnected', () => gone.abort(new Crashed(reasons.chromium_ended().en)));
  const atExit = () => rmSync(home, { recursive: true, force: true });
  process.once('exit', atExit);
  const pid = chromium.process()!.pid!;
  await markHome(home, pid);
  const opened = chromium.pages().catch(() => []);
  const idle: Page[] = [];
  const prepared = new WeakSet<Page>();

  async function takePage(): Promise<Page> {
    // The page that Chromium opens by itself is as good as another.
    const page = idle.pop() ?? (await opened).pop() ?? (await chromium.newPage());
    if (!prepared.has(page)) await prepare(page, refused);
    prepared.add(page);
    return page;
  }

  async function withPage<T>(run: (page: Page) => Promise<T>): Promise<T> {
    const { promise: lost, reject } = Promise.withResolvers<never>();
    lost.catch(() => undefined);
    const lose = () =>
      reject(gone.signal.aborted ? gone.signal.reason : new Crashed(reasons.page_crashed().en));
    gone.signal.addEventListener('abort', lose, { once: true });
    if (gone.signal.aborted) lose();
    let page: Page | undefined;
    try {
      page = await Promise.race([takePage(), lost]);
      page.once('error', lose);
      const result = await Promise.race([run(page), lost]);
      page.off('error', lose);
      idle.push(page);
      return result;
    } catch (error) {
      // Its state is unknown; the next job gets a new one.
      page?.close().catch(() => undefined);
      if (!gone.signal.aborted && chromium.connected) throw error;
      throw new Crashed(reasons.chromium_ended().en, { cause: error });
    } finally {
      gone.signal.removeEventListener('abort', lose);
    }
  }

  return {
    pid,
    withPage,
    gone: gone.signal,
    async kill() {
      gone.abort(new Crashed(reasons.chromium_ended().en));
      killGroup(pid);
      process.off('exit', atExit);
      // A folder that cannot be removed now is left to the next worker.
      await clear().catch(() => undefined);
    },
  };
}

/**
 * What Chromium writes where it cannot have its sandbox: for root, and where user namespaces are forbidden or used up,
 * as in most containers. Any other failure is none that a start without the sandbox may pass over.
 */
const WITHOUT_SANDBOX =
  /running as root without --no-sandbox|no usable sandbox|failed to move to new namespace|suid sandbox helper/i;

type Starting = Pick<Launching, 'path' | 'fonts' | 'unsandboxed'> & { home: string };

async function start({ path, home, fonts, unsandboxed }: Starting): Promise<Chromium> {
  const conf = await writeFontsConf({ ...fonts, home });
  const handed_on = Object.fromEntries(HANDED_ON.map((name) => [name, process.env[name]]));
  const options = {
    executablePath: path,
    headless: 'shell' as const,
    pipe: true,
    userDataDir: `${home}/profile`,
    env: { ...handed_on, HOME: home, LANG: 'C.UTF-8', FONTCONFIG_FILE: conf },
    timeout: START,
    // The worker ends it when it has drained; puppeteer would at the first signal.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  };
  const withoutSandbox = (reason: string) => {
    unsandboxed(reason);
    return puppeteer.launch({ ...options, args: [...ARGUMENTS, '--no-sandbox'] });
  };
  if (process.getuid?.() === 0) return withoutSandbox('Chromium has no sandbox for the account root');
  return puppeteer.launch({ ...options, args: ARGUMENTS }).catch(async (error) => {
    const complaint = await complaintOf(path, ARGUMENTS, options);
    const reason = complaint.split('\n').find((line) => WITHOUT_SANDBOX.test(line));
    if (reason === undefined) throw new Error(`${complaint}\n${error.message}`.trim(), { cause: error });
    return withoutSandbox(reason.trim().slice(0, LONGEST_REASON));
  });
}

/** Scripts are off, and every request but data URLs of the page itself is refused. */
async function prepare(page: Page, refused: (url: string) => void): Promise<void> {
  await page.setJavaScriptEnabled(false);
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const url = request.url();
    if (url.startsWith('data:')) return void request.continue().catch(() => undefined);
    refused(url);
    request.abort('blockedbyclient').catch(() => undefined);
  });
}

/** Characters of Chromium's own words that are kept. */
const LONGEST_REASON = 300;

/** The line that says it, of what puppeteer tells: its first line, what Chromium wrote, and advice for developers. */
function reasonOf(error: unknown): string {
  const lines = String(error instanceof Error ? error.message : error).split('\n');
  const [said] = lines.filter((line) => /error|cannot|denied|not found|no such/i.test(line));
  return (said ?? lines[0] ?? 'unknown').trim().slice(0, LONGEST_REASON);
}
