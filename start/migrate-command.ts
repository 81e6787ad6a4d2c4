import { migrate, migrateDown, migrationStatus } from '../shared/db/migrate.ts';
import { StartupError } from '../shared/kernel/startup-error.ts';
import { readStartSettings, SettingsError } from '../shared/platform/settings/settings.ts';

/** npm run migrate [-- up | down | status]: the schema of the database of DATABASE_URL. */
const say = (sentence: string) => void process.stdout.write(`${sentence}\n`);

const commands: Record<string, (url: string) => Promise<void>> = {
  up: async (url) => {
    await migrate(url, { log: say });
    say('The database has the schema of this release.');
  },
  down: (url) => migrateDown(url, { log: say }),
  status: async (url) => {
    for (const { name, applied } of await migrationStatus(url))
      say(`${applied ? 'applied' : 'pending'}  ${name}`);
  },
};

try {
  const [word = 'up', ...rest] = process.argv.slice(2);
  const command = commands[word];
  if (!command || rest.length > 0) throw new StartupError(`Say one of ${Object.keys(commands).join(', ')}.`);
  const { databaseUrl, databaseDirectUrl } = readStartSettings(process.env);
  const url = databaseDirectUrl ?? databaseUrl;
  if (!url)
    throw new SettingsError('DATABASE_URL is required: npm start migrates the embedded database by itself.');
  await command(url);
} catch (error) {
  process.exitCode = 1;
  process.stderr.write(`${error instanceof StartupError ? error.message : (error as Error).stack}\n`);
}
