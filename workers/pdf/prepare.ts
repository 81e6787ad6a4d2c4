import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Logger } from 'pino';
import { type ChromiumPlace, chromiumPath } from './executable.ts';
import { preparedFonts } from './fonts.ts';
import { clearHomes, homesOf } from './homes.ts';

const run = promisify(execFile);

/** Milliseconds for a program that only tells its version. */
const PATIENCE = 20_000;

/**
 * Ends and removes what a worker that died has left, and has Chromium ready to be started: unpacked, with its fonts, and with all
 * that it needs of the system. What is missing is logged; documents wait until it is there. Nothing is started
 * that stays.
 */
export async function prepareChromium(
  options: ChromiumPlace & { clock: () => Date },
  log: Logger,
): Promise<void> {
  const cleared = await clearHomes(homesOf(options.data_dir), options.clock());
  if (cleared > 0) log.info({ cleared }, 'Removed the browser folders of a dead worker');
  try {
    const path = await chromiumPath(options, options.clock());
    await preparedFonts(options.data_dir, options.clock());
    const { stdout } = await run(path, ['--version'], {
      timeout: PATIENCE,
      env: { PATH: process.env['PATH'] },
    });
    log.info({ version: stdout.trim() }, 'Chromium is ready to render PDF files');
  } catch (error) {
    log.warn(
      { reason: reasonOf(error) },
      'Chromium does not start: PDF files wait until it does. README.md says what it needs',
    );
  }
}

/** What the program wrote, or why there was none. */
function reasonOf(error: unknown): string {
  const { stderr, message } = error as Error & { stderr?: string };
  return (stderr?.trim() || message).split('\n')[0]!.slice(0, 300);
}
