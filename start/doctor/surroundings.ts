import { randomBytes } from 'node:crypto';
import { access, constants, statfs } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { withBounceMailbox } from '../../shared/mail/bounces/mailbox.ts';
import { openScanner } from '../../shared/platform/intake/open-scanner.ts';
import type { StartSettings } from '../../shared/platform/settings/settings.ts';
import { nearestFolder } from '../../shared/platform/storage/folder.ts';
import { openStorage } from '../../shared/platform/storage/open.ts';
import { openRenderer } from '../../workers/pdf/renderer.ts';
import { folderCure, redisCure } from './cures.ts';
import { type Check, cured, fail, ok, warn } from './finding.ts';
import { seal, timestamps } from './seals.ts';

/** Milliseconds for one answer of another machine. */
const PATIENCE = 20_000;
const GIB = 1024 ** 3;
/** Bytes free in DATA_DIR below which files, or the embedded database, soon find no place. */
const SCARCE = 2 * GIB;
const TOO_LITTLE = GIB / 4;

/** The checks of what the service uses besides its database. */
export function surroundingChecks(settings: StartSettings): Check[] {
  const { dataDir, storageUrl } = settings;
  const cureOfFolder = (error: unknown) => folderCure(error, dataDir);
  return [
    { name: 'redis', run: cured(() => redis(settings), redisCure) },
    { name: 'files', run: storageUrl ? () => files(settings) : cured(() => files(settings), cureOfFolder) },
    { name: 'scanner', run: () => scanner(settings) },
    { name: 'mail', run: () => mail(settings) },
    { name: 'mailbox', run: () => mailbox(settings) },
    { name: 'pdf', run: () => pdf(settings) },
    { name: 'seal', run: () => seal(settings) },
    { name: 'timestamps', run: () => timestamps(settings) },
    { name: 'disk', run: cured(() => disk(settings), cureOfFolder) },
    { name: 'address', run: () => address(settings) },
  ];
}

async function redis({ redisUrl }: StartSettings) {
  if (!redisUrl) return ok('REDIS_URL is not set: the queues are kept in PostgreSQL.');
  const { Redis, ReplyError } = await import('ioredis');
  const client = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: PATIENCE,
    commandTimeout: PATIENCE,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let refusal: Error | undefined;
  client.on('error', (error) => {
    refusal = error;
  });
  try {
    await client.connect();
    const key = `business-operations:doctor:${randomBytes(16).toString('hex')}`;
    await client.set(key, '', 'PX', PATIENCE);
    await client.del(key);
    const policy = /maxmemory_policy:(\S+)/.exec(await client.info('memory'))?.[1];
    if (policy === undefined || policy === 'noeviction') return ok('Redis answers and takes writes.');
    return warn(`Redis may drop keys of the queues (maxmemory-policy ${policy}): set it to noeviction.`);
  } catch (error) {
    const cause = refusal ?? error;
    const trouble = cause instanceof ReplyError ? 'refuses' : 'does not answer';
    throw new Error(`Redis of REDIS_URL ${trouble}`, { cause });
  } finally {
    client.disconnect();
  }
}

/** Looks at what is there, and writes, reads and removes one file, as the service does. */
async function files(settings: StartSettings) {
  const storage = await openStorage(settings);
  await storage.check();
  // Without a folder of its own, which would stay.
  const key = `doctor-${randomBytes(16).toString('hex')}`;
  const content = randomBytes(1024);
  try {
    await storage.write(key, Readable.from([content]), { limit: content.length });
    if (!content.equals(await buffer(await storage.read(key)))) {
      return fail('The store of files gives back other bytes than it took.');
    }
  } finally {
    await storage.remove(key).catch(() => undefined);
  }
  return ok(
    settings.storageUrl
      ? 'The store of STORAGE_URL takes, gives and removes a file.'
      : 'DATA_DIR takes, gives and removes a file.',
  );
}

async function scanner(settings: StartSettings) {
  const found = openScanner(settings);
  if (!found) return ok('CLAMD_URL is not set: files from outside are not scanned.');
  await found.check();
  return ok('clamd of CLAMD_URL answers.');
}

async function mail({ smtpUrl }: StartSettings) {
  if (!smtpUrl) return warn('SMTP_URL is not set: mails reach nobody, they are kept under /ops/mailbox.');
  const { mailServer } = await import('./mail-server.ts');
  return mailServer(smtpUrl, AbortSignal.timeout(PATIENCE));
}

/** Opens the mailbox for bounces and leaves all mails in it. */
async function mailbox({ bounceMailboxUrl }: StartSettings) {
  if (!bounceMailboxUrl) {
    return ok('BOUNCE_MAILBOX_URL is not set: bounces of campaigns are told by the hook alone.');
  }
  await withBounceMailbox(bounceMailboxUrl, async () => undefined, {
    signal: AbortSignal.timeout(PATIENCE),
    ca: undefined,
  });
  return ok('The mailbox of BOUNCE_MAILBOX_URL opens.');
}

/** Starts Chromium with one page. */
async function pdf({ chromePath, dataDir }: StartSettings) {
  const renderer = openRenderer({ chrome_path: chromePath, data_dir: dataDir, clock: () => new Date() });
  try {
    const bytes = await renderer.render(
      async (page) => {
        await page.setContent('<p>請求書</p>');
        return page.pdf();
      },
      AbortSignal.timeout(PATIENCE * 3),
    );
    if (!Buffer.from(bytes).subarray(0, 5).equals(Buffer.from('%PDF-'))) return fail('Chromium made no PDF.');
    return ok('Chromium starts and makes a PDF.');
  } finally {
    await renderer.end();
  }
}

async function disk({ dataDir }: StartSettings) {
  const folder = await nearestFolder(dataDir);
  await access(folder, constants.W_OK);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const words = `${(free / GIB).toFixed(1)} GiB are free where DATA_DIR is`;
  if (free < TOO_LITTLE) return fail(`${words}: make room.`);
  if (free < SCARCE) return warn(`${words}: make room before files find no place.`);
  return ok(`${words}.`);
}

/** The service need not run: then nothing answers, which is reported and is not a fault. */
async function address({ baseUrl }: StartSettings) {
  const answer = await fetch(`${baseUrl}/healthz`, { signal: AbortSignal.timeout(PATIENCE) }).catch(
    (error: Error) => error,
  );
  if (answer instanceof Error) {
    const { cause } = answer;
    const reason =
      cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : answer.message;
    return warn(`Nothing answers at BASE_URL ${baseUrl} (${reason}): is the service started, and the proxy?`);
  }
  if (!answer.ok)
    return warn(
      `BASE_URL ${baseUrl} answers ${answer.status} to /healthz: another program, or a proxy without its API?`,
    );
  if (!answer.headers.has('request-id')) return warn(`At BASE_URL ${baseUrl} another program answers.`);
  return ok(`The service answers at BASE_URL ${baseUrl}.`);
}
