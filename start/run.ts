import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Embedded, startEmbedded } from '../shared/db/embedded.ts';
import { migrate } from '../shared/db/migrate.ts';
import { StartupError } from '../shared/kernel/startup-error.ts';
import { secretsKeyFrom } from '../shared/platform/secrets/keys.ts';
import {
  API_SECRETS,
  type Environment,
  readSettings,
  readStartSettings,
  type StartSettings,
} from '../shared/platform/settings/settings.ts';
import { openSealKey } from '../shared/sign/sealing/key.ts';
import { createDemo } from './demo.ts';
import { wordsOf, workerGroups } from './groups.ts';
import { interruption, listenForInterrupts, unlessInterrupted } from './interrupt.ts';
import { launcher, nodeFlags, sharingLauncher } from './launch.ts';
import { type Logs, openLogs } from './logs.ts';
import { type Options, readOptions } from './options.ts';
import { refuseTakenPort } from './port.ts';
import { type KeptSecret, keptAuthSecret, keptOperatorPassword } from './secret.ts';
import { type Supervised, supervise } from './supervise.ts';
import { watchSources } from './watch.ts';
import { welcome } from './welcome.ts';

/** The two programs that the start keeps running, the workers in several processes. */
export type Programs = { api: string; workers: string };

type Running = { processes: Supervised[]; database: Embedded | null };

/**
 * Milliseconds that the processes have to drain, and then the embedded database to write its checkpoint: 30 seconds
 * together, after which most supervisors kill. A checkpoint that is cut costs the next start a recovery.
 */
const DRAIN = 20_000;
const CHECKPOINT = 9_000;

/**
 * npm start: the database, its schema, the API and the workers, until Ctrl-C or SIGTERM; then the same backwards.
 * Answers the exit code: 0 when it was asked to end, 1 when something stood in the way, told in one sentence.
 */
export async function start(words: string[], environment: Environment, programs: Programs): Promise<number> {
  const running: Running = { processes: [], database: null };
  const interrupted = listenForInterrupts(() => endAtOnce(running));
  const logs = openLogs(process.stdout);
  try {
    await bringUp(readOptions(words), environment, programs, running, interrupted, logs);
    await interruption(interrupted);
    return 0;
  } catch (error) {
    if (interrupted.aborted) return 0;
    tell(error instanceof StartupError ? error.message : String((error as Error).stack));
    return 1;
  } finally {
    await bringDown(running);
  }
}

async function bringUp(
  options: Options,
  environment: Environment,
  programs: Programs,
  running: Running,
  interrupted: AbortSignal,
  logs: Logs,
): Promise<void> {
  const settings = readStartSettings(environment);
  await refuseTakenPort(settings.port, settings.host);
  const { own, operator_password } = await withDatabase(settings, environment, running);
  const { databaseDirectUrl, apiProcesses } = readSettings(own);
  interrupted.throwIfAborted();
  await unlessInterrupted(interrupted, migrate(databaseDirectUrl, { log: tell }));

  tell('Starting the API and the workers.');
  const ofApi = operator_password ? { ...own, OPERATOR_PASSWORD: operator_password.value } : own;
  const launchApi = apiProcesses > 1 ? sharingLauncher(programs.api, ofApi) : launcher(programs.api, ofApi);
  for (let number = 0; number < apiProcesses; number += 1) {
    running.processes.push(supervise('api', launchApi, logs, options.watch));
  }
  for (const [index, group] of workerGroups.entries()) {
    const words = wordsOf(group);
    const flags = nodeFlags(group);
    const launch = launcher(programs.workers, forWorkers(own, index), { words, flags });
    running.processes.push(supervise(group.name, launch, logs, options.watch));
  }
  await unlessInterrupted(interrupted, Promise.all(running.processes.map((process) => process.ready)));

  const demo = options.demo ? createDemo({ url: databaseDirectUrl, now: new Date() }) : Promise.resolve(null);
  const credentials = await unlessInterrupted(interrupted, demo);
  tell(`\n${welcome(settings, { seconds: process.uptime(), credentials, operator_password })}`);
  if (running.database) keepRunning(running.database, interrupted, logs);
  if (options.watch) watchForChanges(databaseDirectUrl, running);
}

/**
 * The environment of a process of workers: without the secrets of the API, with the key of secrets at rest in the place of
 * the one that it follows from, and with a port of its own for its numbers, the next one after that of the process before.
 */
function forWorkers(environment: Environment, index: number): Environment {
  const secrets: readonly string[] = API_SECRETS;
  const kept = Object.entries(environment).filter(([name]) => !secrets.includes(name));
  const { AUTH_SECRET, SECRETS_KEY } = environment;
  const derived = !SECRETS_KEY && AUTH_SECRET ? { SECRETS_KEY: secretsKeyFrom(AUTH_SECRET) } : {};
  const given = { ...Object.fromEntries(kept), ...derived };
  const port = environment.WORKERS_METRICS_PORT;
  return port ? { ...given, WORKERS_METRICS_PORT: String(Number(port) + index) } : given;
}

/**
 * The environment of the processes: with the embedded database and kept secrets where no database is given. The password
 * for operators is for the API alone.
 */
async function withDatabase(
  settings: StartSettings,
  environment: Environment,
  running: Running,
): Promise<{ own: Environment; operator_password: KeptSecret | null }> {
  const given = { ...environment, DATA_DIR: settings.dataDir, EMBEDDED_DATABASE: 'false' };
  if (settings.databaseUrl) return { own: given, operator_password: null };
  tell('Starting the embedded database.');
  running.database = await startEmbedded({ dataDir: settings.dataDir, log: tell });
  const { authSecret, operatorPassword, dataDir } = settings;
  // Made now and not with the first document: whoever looks for it before that finds it.
  await openSealKey({ ...settings, embeddedDatabase: true }, new Date());
  const own = {
    ...given,
    DATABASE_URL: running.database.url,
    DATABASE_DIRECT_URL: running.database.url,
    AUTH_SECRET: authSecret ?? keptAuthSecret(dataDir).value,
    EMBEDDED_DATABASE: 'true',
  };
  return { own, operator_password: operatorPassword ? null : keptOperatorPassword(dataDir) };
}

function watchForChanges(url: string, running: Running): void {
  watchSources(resolve(import.meta.dirname, '..'), () => {
    tell('The sources changed: starting again.');
    migrate(url, { log: tell })
      .catch((error: Error) => tell(error.message))
      .finally(() => {
        for (const process of running.processes) process.renew();
      });
  });
}

/** The embedded server is not a child (it may be adopted), so it is looked at once a second. */
async function keepRunning(database: Embedded, interrupted: AbortSignal, logs: Logs): Promise<void> {
  while (!interrupted.aborted) {
    try {
      if (await database.revive())
        logs.write('error', 'start', 'the embedded database had ended and is started again');
    } catch (error) {
      logs.write('error', 'start', (error as Error).message);
    }
    await pause(1_000, undefined, { signal: interrupted }).catch(() => {});
  }
}

async function bringDown({ processes, database }: Running): Promise<void> {
  if (processes.length > 0)
    tell('Ending: requests and jobs under way are finished first (Ctrl-C again: at once).');
  await Promise.all(processes.map((process) => process.end(DRAIN)));
  await database?.stop(CHECKPOINT);
}

function endAtOnce({ processes, database }: Running): never {
  for (const process of processes) process.kill();
  database?.kill();
  process.exit(130);
}

/** Progress is for the person who started it, and stands apart from the logs. */
function tell(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
