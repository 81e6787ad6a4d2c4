import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { clamdAddress } from '../intake/clamd-address.ts';

const url = (...schemes: string[]) =>
  z.string().refine((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1)), {
    error: `must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
  });

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most, {
      error: `must be a whole number from ${least} to ${most}`,
    })
    .transform(Number);

const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: `must be one of ${words.join(', ')}` });

const yesOrNo = oneOf(['true', 'false']).transform((word) => word === 'true');

const atLeast = (length: number) =>
  z.string().refine((text) => text.length >= length, { error: `must have at least ${length} characters` });

const mailbox = z.string().regex(/^(?:[^<>\r\n]* )?<?[^\s<>@]+@[^\s<>@]+>?$/, {
  error: 'must be an e-mail address, alone or as Name <address>',
});

/** As RFC 6797 writes the value of Strict-Transport-Security. */
const HSTS_VALUE = /^max-age=\d{1,9}(?:; ?includeSubDomains)?(?:; ?preload)?$/;

const networks = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .refine((parts) => parts.every(isNetwork), {
    error: 'must be addresses or networks with commas between them, such as 10.0.0.0/8,::1',
  });

/**
 * Every setting: the name of its environment variable, what it takes, its default and what it is for.
 * The reference page of the settings and the check of docker-compose.yml are read from here.
 */
export const SettingsSchema = z.object({
  PORT: wholeNumber(0, 65_535).prefault('3000').describe('The port that the API listens on.'),
  HOST: z
    .string()
    .prefault('127.0.0.1')
    .describe('The address that the API listens on; 0.0.0.0 or :: for all.'),
  BASE_URL: url('http', 'https')
    .optional()
    .describe(
      'The address that people and links in mails use, without a slash at the end (absent: http://localhost and the port).',
    ),
  DATABASE_URL: url('postgres', 'postgresql')
    .optional()
    .describe('The PostgreSQL database (absent: npm start runs an embedded one under DATA_DIR).'),
  DATABASE_DIRECT_URL: url('postgres', 'postgresql')
    .optional()
    .describe('The same database without the pooler, for queues and LISTEN, where DATABASE_URL is a pooler.'),
  POOL_SIZE: wholeNumber(1, 500)
    .prefault('10')
    .describe('The most database connections that one process opens for its requests or jobs.'),
  POOL_TIMEOUT_SECONDS: wholeNumber(1, 30)
    .prefault('5')
    .describe(
      'How many seconds a request or job waits for one of those connections; then the request is answered with 503, and the job is tried again.',
    ),
  API_PROCESSES: wholeNumber(1, 64)
    .prefault('1')
    .describe('How many API processes npm start runs on the one port.'),
  REDIS_URL: url('redis', 'rediss')
    .optional()
    .describe('Redis for the queues (absent: the queues are kept in PostgreSQL).'),
  DATA_DIR: z
    .string()
    .prefault('./data')
    .describe('The folder for the embedded database, files and the local mailbox.'),
  AUTH_SECRET: atLeast(32)
    .optional()
    .describe(
      'Signs sessions; at least 32 characters (with the embedded database made and kept under DATA_DIR, otherwise required).',
    ),
  SECRETS_KEY: atLeast(32)
    .optional()
    .describe(
      'Encrypts secrets of the outside that are kept, such as tokens of Slack; at least 32 characters, the same for the API and the workers (absent: derived from AUTH_SECRET, which npm start does for its workers too).',
    ),
  PREVIOUS_SECRETS_KEY: atLeast(32)
    .optional()
    .describe(
      'The SECRETS_KEY before, or the AUTH_SECRET before where there was none: what it encrypted is read until npm run operators -- turn-secrets-key has turned all.',
    ),
  SLACK_URL: url('http', 'https')
    .prefault('https://slack.com/api')
    .describe('The root of the API of Slack. Its host may have a private address.'),
  GOOGLE_CLIENT_ID: z
    .string()
    .optional()
    .describe(
      'The OAuth client at Google through which members connect their calendars (absent, or without its secret: Google cannot be connected).',
    ),
  GOOGLE_CLIENT_SECRET: z.string().optional().describe('The secret of that client.'),
  GOOGLE_URL: url('http', 'https')
    .optional()
    .describe(
      'One base for the sign-in, the tokens and the calendars of Google, in the place of its own hosts. Its host may have a private address.',
    ),
  OUTSIDE_HOSTS: hosts().describe(
    'Hosts that the service may call although their addresses are private, each alone or with a port, with commas between them, such as calendar.internal:8443. All others are reached at public addresses alone.',
  ),
  CALENDAR_HOSTS: hosts().describe(
    'Hosts of calendars, in the same form, that members may connect although their addresses are private, and also by http. All others are called by https at public addresses alone.',
  ),
  SMTP_URL: url('smtp', 'smtps')
    .optional()
    .describe('The mail server (absent: mails are kept in the local mailbox under /ops).'),
  MAIL_FROM: mailbox.optional().describe('The sender of mails; required with SMTP_URL.'),
  BOUNCE_MAILBOX_URL: url('imaps')
    .refine(hasCredentials, {
      error: 'must name the user and the password, such as imaps://USER:PASSWORD@host',
    })
    .optional()
    .describe(
      'The mailbox that delivery reports and complaints about campaigns arrive in, read every minute: imaps://USER:PASSWORD@host:993/INBOX, with other characters than letters and digits percent-encoded (absent: they come by the hook alone).',
    ),
  STORAGE_URL: url('s3')
    .refine((text) => !URL.canParse(text) || new URL(text).hostname !== '', {
      error: 'must name a store or a bucket, such as s3://KEY:SECRET@host:port/bucket',
    })
    .optional()
    .describe(
      'An S3 store for files: s3://KEY:SECRET@host:port/bucket?region=... (with tls=false over plain HTTP), or s3://bucket for the one of Amazon with credentials as its own tools find them (absent: files are kept under DATA_DIR).',
    ),
  CLAMD_URL: z
    .string()
    .refine((text) => clamdAddress(text) !== null, {
      error: 'must be tcp://host:port or unix:/path',
    })
    .optional()
    .describe(
      'clamd, which scans files from outside for malware: tcp://host:port or unix:/path (absent: nothing is scanned).',
    ),
  CLAMD_MAX_BYTES: wholeNumber(1, 999_999_999)
    .prefault('26214400')
    .describe(
      'Bytes of the largest file that is sent to clamd; at most its StreamMaxLength, MaxFileSize and MaxScanSize.',
    ),
  CLOUD_QUOTA_BYTES: z
    .string()
    .regex(/^\d{1,15}$/, { error: 'must be a whole number of at most 15 digits' })
    .transform(Number)
    .prefault('10737418240')
    .describe(
      'Bytes that the files of one organization may have together, their old versions and the trash among them (0: no bound).',
    ),
  CHROME_PATH: z
    .string()
    .optional()
    .describe('The Chromium that renders PDF files (absent: the one that is installed with the service).'),
  SIGN_P12: z
    .string()
    .optional()
    .describe(
      'The path of the PKCS #12 file with the key and the certificates that seal signed documents, the same for the API and the workers (absent: with the embedded database npm start makes a key and its authority and keeps them under DATA_DIR, otherwise nothing can be sent for signing).',
    ),
  SIGN_P12_PASSWORD: z.string().prefault('').describe('The password of that file.'),
  SIGN_TSA_URL: url('http', 'https')
    .optional()
    .describe(
      'The time-stamping authority (RFC 3161) that makes seals PAdES B-LTA. Its host may have a private address (absent: seals are PAdES B-B).',
    ),
  SIGN_TSA_REQUIRED: yesOrNo
    .prefault('true')
    .describe(
      'Whether sealing fails, and is tried again, when the time-stamping authority does; false seals as PAdES B-B then.',
    ),
  OPERATOR_PASSWORD: atLeast(16)
    .optional()
    .describe(
      'Opens /ops, with any user name; at least 16 characters (absent: with the embedded database npm start makes one and keeps it under DATA_DIR, otherwise /ops is closed).',
    ),
  TRUSTED_PROXIES: networks
    .prefault('')
    .describe('Addresses or networks whose X-Forwarded-For is believed, with commas between them.'),
  HSTS: z
    .string()
    .refine((text) => text === 'off' || HSTS_VALUE.test(text), {
      error: 'must be off or the value of the header, such as max-age=31536000; includeSubDomains',
    })
    .prefault('max-age=2592000')
    .describe(
      'The value of Strict-Transport-Security in each answer when BASE_URL is https; off sends no such header.',
    ),
  SIGN_UP: oneOf(['open', 'invited'])
    .prefault('open')
    .describe('Who can make an account: everybody (open) or who has an invitation (invited).'),
  REQUIRE_EMAIL_VERIFICATION: yesOrNo
    .optional()
    .describe(
      'Whether an address must be confirmed before the first sign-in (absent: true with SMTP_URL, false without).',
    ),
  RATE_LIMIT_PER_MINUTE: wholeNumber(0, 10_000_000)
    .prefault('1200')
    .describe(
      'Requests a minute for one credential; a person has twice as many, an organization four times as many. 0 is no limit.',
    ),
  MAIL_CONNECTIONS: wholeNumber(1, 100)
    .prefault('5')
    .describe('Connections to the mail server that one process of workers keeps for campaigns.'),
  MAIL_RATE_PER_SECOND: wholeNumber(0, 10_000_000)
    .prefault('0')
    .describe('Mails of campaigns a second, of all organizations and workers together; 0 means no limit.'),
  MAIL_RECIPIENTS_PER_HOUR: wholeNumber(0, 10_000_000)
    .prefault('1000')
    .describe(
      'Recipients an hour that one organization mails by hand: invitations and documents; 0 means no limit. Where anybody can sign up and SMTP_URL is set, a new organization has 50 on its first day besides.',
    ),
  METRICS_NETWORKS: networks
    .prefault('')
    .describe(
      'Addresses or networks from which /metrics and the whole of /readyz are answered, besides this machine itself, with commas between them.',
    ),
  METRICS_TOKEN: atLeast(32)
    .optional()
    .describe(
      'Opens /metrics and the whole of /readyz from anywhere, as Authorization: Bearer; at least 32 characters.',
    ),
  WORKERS_METRICS_PORT: wholeNumber(1, 65_535)
    .optional()
    .describe(
      'The port on which the workers tell their own numbers at /metrics, to whom the API tells its own; with npm start that of the first process, each further one takes the next (absent: they tell none).',
    ),
  GIT_COMMIT: z
    .string()
    .regex(/^[0-9a-fA-F]{7,64}$/, { error: 'must be a commit, 7 to 64 hexadecimal digits' })
    .optional()
    .describe(
      'The commit that runs, as the log, /readyz, /ops and build_info tell it (absent: the one that the image was built with, or of the folder .git).',
    ),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .prefault('info')
    .describe('The least serious log line that is written.'),
  EMBEDDED_DATABASE: yesOrNo
    .prefault('false')
    .describe('Set by npm start for its own processes: DATABASE_URL is the embedded server.'),
});

function hasCredentials(text: string): boolean {
  const url = URL.parse(text);
  return url === null || (url.hostname !== '' && url.username !== '' && url.password !== '');
}

/** A host as URLs name one, without anything around it. */
function hosts() {
  return z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim().toLowerCase())
        .filter(Boolean),
    )
    .refine((parts) => parts.every((part) => isHost(part)), {
      error: 'must be names of hosts or addresses, each alone or with a port, with commas between them',
    })
    .prefault('');
}

function isHost(text: string): boolean {
  return URL.canParse(`http://${text}`) && new URL(`http://${text}`).host === text.replace(/:80$/, '');
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (!version || rest.length > 0) return false;
  if (prefix === undefined) return true;
  try {
    new BlockList().addSubnet(address, Number(prefix), version === 4 ? 'ipv4' : 'ipv6');
    return /^\d+$/.test(prefix);
  } catch {
    return false;
  }
}
