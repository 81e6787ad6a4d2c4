import { openDatabase } from '../shared/db/database.ts';
import { runningDatabase } from '../shared/db/embedded/running.ts';
import { isThroughPooler } from '../shared/db/pooler.ts';
import { StartupError } from '../shared/kernel/startup-error.ts';
import { clockDifference } from '../shared/platform/operators/clock.ts';
import { queueNumbers } from '../shared/platform/outbox/numbers.ts';
import { readStartSettings, SettingsError } from '../shared/platform/settings/settings.ts';
import { type Backend, openBackend } from './kernel/backend.ts';
import { rebuild } from './kernel/dispatch.ts';
import { rememberEngine } from './kernel/engine.ts';
import { requireInstallation, requireQueues } from './kernel/requirements.ts';

/**
 * npm run queues [-- status | rebuild]: shows the queues, and queues lost tickets again. Without
 * DATABASE_URL those of the embedded database that npm start runs.
 */
const clock = () => new Date();
const say = (sentence: string) => void process.stdout.write(`${sentence}\n`);

type Opened = { database: ReturnType<typeof openDatabase>; backend: Backend };

const commands: Record<string, (opened: Opened) => Promise<void>> = {
  status: async ({ database, backend }) => {
    const rows = await database.withConnection('*', (connection) => queueNumbers(connection, clock()));
    say(`The queues are on ${backend.kind}.`);
    say(line(['queue', 'waiting', 'in flight', 'given up', 'oldest s', 'lag s', 'done/min', 'failed/min']));
    for (const row of rows) {
      const ages = [row.oldest_seconds ?? '-', row.lag_seconds ?? '-'];
      const rates = [row.done_per_minute, row.failed_per_minute];
      say(line([row.queue, row.waiting, row.in_flight, row.failed, ...ages, ...rates]));
    }
    const seconds = Math.round((await clockDifference(database, clock)) / 1000);
    say(`This machine's clock differs from the database's by ${seconds} s.`);
  },
  rebuild: async ({ database, backend }) => {
    const mark = await backend.mark();
    const count = await rebuild(database, backend, clock());
    await rememberEngine(database, mark);
    say(`${count} deliveries that were handed over and not taken have their tickets in ${backend.kind}.`);
  },
};

function line(cells: readonly (string | number)[]): string {
  return cells.map((cell, place) => (place === 0 ? `${cell}`.padEnd(18) : `${cell}`.padStart(11))).join('');
}

async function main(): Promise<void> {
  const [word = 'status', ...rest] = process.argv.slice(2);
  const command = commands[word];
  if (!command || rest.length > 0) throw new StartupError(`Say one of ${Object.keys(commands).join(', ')}.`);
  const settings = readStartSettings(process.env);
  const { databaseUrl = runningDatabase(settings.dataDir), redisUrl } = settings;
  const { databaseDirectUrl = databaseUrl } = settings;
  if (!databaseUrl || !databaseDirectUrl)
    throw new SettingsError('DATABASE_URL is required where no npm start runs.');
  const database = openDatabase({
    url: databaseUrl,
    pool_size: 2,
    through_pooler: isThroughPooler({ databaseUrl, databaseDirectUrl }),
  });
  const troubled = () => undefined;
  const installation = await requireInstallation(database, clock());
  const backend = openBackend({
    redis_url: redisUrl,
    database_url: databaseDirectUrl,
    installation,
    served: 0,
    troubled,
  });
  await requireQueues(backend);
  await command({ database, backend });
}

main().then(
  () => process.exit(0),
  (error) => {
    process.stderr.write(`${error instanceof StartupError ? error.message : (error as Error).stack}\n`);
    process.exit(1);
  },
);
