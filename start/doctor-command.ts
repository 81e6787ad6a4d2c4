import { programOptions } from '../shared/kernel/program-options.ts';
import { StartupError } from '../shared/kernel/startup-error.ts';
import { readSettings, readStartSettings, type StartSettings } from '../shared/platform/settings/settings.ts';
import { databaseUrls } from './command-database.ts';
import { databaseChecks } from './doctor/database.ts';
import { type Check, fail, findingOf, ok, warn } from './doctor/finding.ts';
import { secrets } from './doctor/secrets.ts';
import { surroundingChecks } from './doctor/surroundings.ts';

/**
 * npm run doctor: tries what the service uses, with its own settings and from its machine, and writes a line for each:
 * ok, warn or fail, with what to do. Ends with 1 when something fails. Of what it writes only an unpacked Chromium stays.
 */
const HELP = `npm run doctor

Tries the settings, the database, the keys of kept secrets, Redis, the store of files, clamd, the mail server, Chromium,
the key of seals, the time-stamping authority, the disk and BASE_URL.
The service may run or not. Run it as the service's own account, whose rights it tries. Ends with 1 when one of them fails.`;

const say = (line: string) => void process.stdout.write(`${line}\n`);

async function main(words: string[]): Promise<number> {
  const { help } = programOptions(words, { help: { type: 'boolean', default: false } });
  if (help) {
    say(HELP);
    return 0;
  }
  const settings = readStartSettings(process.env);
  let failed = 0;
  // One after the other: what fails may keep the machine busy, and the next check would be slow for it.
  for (const check of checksOf(settings)) {
    const { grade, words: told } = await findingOf(check);
    if (grade === 'fail') failed += 1;
    say(`${grade.padEnd(5)} ${check.name.padEnd(11)} ${told}`);
  }
  say(failed === 0 ? 'Nothing fails.' : `${failed} of the checks failed.`);
  return failed === 0 ? 0 : 1;
}

function checksOf(settings: StartSettings): Check[] {
  const urls = databaseUrls(settings);
  const database: Check[] = urls
    ? [...databaseChecks(urls), { name: 'secrets', run: () => secrets(settings) }]
    : [{ name: 'database', run: async () => warn(NO_DATABASE) }];
  return [{ name: 'settings', run: () => complete(settings) }, ...database, ...surroundingChecks(settings)];
}

const NO_DATABASE =
  'DATABASE_URL is not set, and no npm start runs with this DATA_DIR: its embedded database was not tried.';

/** Settings that are right one by one and yet do not fit together. */
async function complete({
  databaseUrl,
  authSecret,
  baseUrl,
  operatorPassword,
  trustedProxies,
}: StartSettings) {
  const is_of_workers = databaseUrl !== undefined && authSecret === undefined;
  if (databaseUrl && !is_of_workers) readSettings(process.env);
  const is_local = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(baseUrl).hostname);
  if (is_local && is_of_workers) return warn(OF_WORKERS);
  if (is_local) return databaseUrl ? warn(LOCAL) : ok('The settings can be read.');
  if (!baseUrl.startsWith('https:')) {
    return fail(
      'BASE_URL is not https: passwords and keys travel in the clear. Put a proxy that speaks TLS in front.',
    );
  }
  if (trustedProxies.length === 0) {
    return warn('TRUSTED_PROXIES is not set: behind a proxy all clients share its address, and its limits.');
  }
  if (is_of_workers) return warn(OF_WORKERS);
  if (!operatorPassword && databaseUrl) return warn('OPERATOR_PASSWORD is not set: /ops is closed.');
  return ok('The settings can be read and fit together.');
}

const LOCAL = 'BASE_URL leads to this machine alone: links in mails need the address that people use.';

const OF_WORKERS =
  'AUTH_SECRET is not set: that is right where only workers run, but the API does not start without it (openssl rand -hex 32 makes one).';

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error) => {
    process.stderr.write(`${error instanceof StartupError ? error.message : (error as Error).stack}\n`);
    process.exit(1);
  },
);
