import type { Database } from '../shared/db/database.ts';
import { openDatabase } from '../shared/db/database.ts';
import { runningDatabase } from '../shared/db/embedded/running.ts';
import { StartupError } from '../shared/kernel/startup-error.ts';
import { decideInstallation, renewInstallation } from '../shared/platform/installation/decision.ts';
import { discardEarlierMails } from '../shared/platform/installation/earlier-mails.ts';
import { ensureInstallation, installationState } from '../shared/platform/installation/installation.ts';
import { purposesOf } from '../shared/platform/mailer/purposes.ts';
import { readStartSettings, SettingsError } from '../shared/platform/settings/settings.ts';

/**
 * npm run installation [-- status | take-over | take-over --discard-mails | separate | renew]: what a restored database
 * is. Without DATABASE_URL that of the embedded database that npm start runs.
 */
const clock = () => new Date();
const say = (sentence: string) => void process.stdout.write(`${sentence}\n`);

const UNDECIDED = `This database was restored from a backup. It sends no mail and removes no file of its original until you say what it is:
  npm run installation -- take-over                  The original is gone: its files are this installation's, waiting mails are sent.
  npm run installation -- take-over --discard-mails  The same, but mails that waited in the backup are not sent.
  npm run installation -- separate                   The original goes on: its files stay, mails that waited in the backup are not sent.`;

const commands: Record<string, (database: Database) => Promise<void>> = {
  status: async (database) => {
    const { id, is_undecided } = await database.withConnection('*', installationState);
    if (id !== null) say(`This installation is ${id}.`);
    if (is_undecided) say(UNDECIDED);
    else say(id === null ? 'No process has started on this database yet.' : 'It sends its mails.');
  },
  'take-over': async (database) => {
    await decideInstallation(database, 'taken_over', clock());
    say('This installation has taken over its original: mails are sent, old files are removed.');
  },
  'take-over --discard-mails': async (database) => {
    await discardWaiting(database);
    await decideInstallation(database, 'taken_over', clock());
    say('This installation has taken over its original: new mails are sent, old files are removed.');
  },
  separate: async (database) => {
    await discardWaiting(database);
    await decideInstallation(database, 'separate', clock());
    say(
      'This installation is separate from its original: new mails are sent, no file of the original is removed.',
    );
  },
  renew: async (database) => {
    say(`This installation is ${await renewInstallation(database, clock())} from now on.`);
    say(UNDECIDED);
  },
};

async function discardWaiting(database: Database): Promise<void> {
  const { domains } = await import('../shared/domains.ts');
  // A mail that waits is told from one that was asked for later by the time of the drawing.
  await ensureInstallation(database, clock());
  const count = await discardEarlierMails(database, purposesOf(domains), clock());
  say(`${count} mails that waited in the backup are not sent; /ops/mails has them.`);
}

async function main(): Promise<void> {
  const command = commands[process.argv.slice(2).join(' ') || 'status'];
  if (!command) throw new StartupError(`Say one of: ${Object.keys(commands).join(', ')}.`);
  const settings = readStartSettings(process.env);
  const url = settings.databaseUrl ?? runningDatabase(settings.dataDir);
  if (!url) throw new SettingsError('DATABASE_URL is required where no npm start runs.');
  await command(openDatabase({ url, pool_size: 2 }));
}

main().then(
  () => process.exit(0),
  (error) => {
    process.stderr.write(`${error instanceof StartupError ? error.message : (error as Error).stack}\n`);
    process.exit(1);
  },
);
