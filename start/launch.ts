import { type ChildProcess, fork } from 'node:child_process';
import cluster from 'node:cluster';
import type { Environment } from '../shared/platform/settings/settings.ts';

/**
 * A bound on old objects, far above what lives (some 100 MiB): it makes the collector tidy up earlier. A small space for
 * young ones keeps a process that is under load 40 MiB smaller; half of it would cost a fifth of the speed of lists
 * (docs/performance.md).
 */
export const NODE_FLAGS = nodeFlags({ heap: 512, young: 16 });

/** The flags for a process that ends when its old objects take more than `heap` MiB. */
export function nodeFlags({ heap, young }: { heap: number; young?: number }): string[] {
  const old = `--max-old-space-size=${heap}`;
  return young === undefined ? [old] : [old, `--max-semi-space-size=${young}`];
}

/**
 * How a program becomes a process: with a channel (it ends when the channel closes, so that a killed start leaves
 * none behind) and in a session of its own, so that the terminal's Ctrl-C reaches the start alone, which then
 * lets it drain.
 */
export function launcher(
  program: string,
  environment: Environment,
  { words = [], flags = NODE_FLAGS }: { words?: string[]; flags?: string[] } = {},
): () => ChildProcess {
  const options = { env: environment, silent: true, detached: true, execArgv: flags };
  return () => fork(program, words, options);
}

/** The same for a program of which several processes share one port; Ctrl-C reaches these too, and they drain. */
export function sharingLauncher(program: string, environment: Environment): () => ChildProcess {
  cluster.setupPrimary({ exec: program, args: [], execArgv: NODE_FLAGS, silent: true });
  return () => cluster.fork(environment).process;
}
