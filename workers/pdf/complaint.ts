import { execFile } from 'node:child_process';

/** Milliseconds for a start that is to fail. */
const PATIENCE = 30_000;

type Started = { userDataDir: string; env: Record<string, string | undefined> };

/**
 * What Chromium writes when it cannot start with these arguments; empty where it can. It is started once more for it,
 * with an empty page: puppeteer does not read the errors of a browser that it speaks to through a pipe.
 */
export function complaintOf(
  path: string,
  args: readonly string[],
  { userDataDir, env }: Started,
): Promise<string> {
  const words = [...args, '--headless', `--user-data-dir=${userDataDir}`, '--dump-dom', 'about:blank'];
  return new Promise((resolve) => {
    execFile(path, words, { env, timeout: PATIENCE, killSignal: 'SIGKILL' }, (error, _, stderr) =>
      resolve(error ? stderr.trim() || error.message : ''),
    );
  });
}
