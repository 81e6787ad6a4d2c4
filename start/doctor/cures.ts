import { reasonOf } from './finding.ts';

const NAMES = new Set(['EDNS', 'ENOTFOUND', 'EAI_AGAIN']);
const TLS = /^(ETLS|EPROTO|ERR_SSL|ERR_TLS|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/;
const UNREACHED = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
]);

/** What keeps this machine from talking to a server at all, by the codes of an error. */
export type Obstacle = 'name' | 'tls' | 'port';

export function obstacleOf(codes: readonly string[]): Obstacle | null {
  if (codes.some((code) => NAMES.has(code))) return 'name';
  if (codes.some((code) => TLS.test(code))) return 'tls';
  return codes.some((code) => UNREACHED.has(code)) ? 'port' : null;
}

/** The codes of an error and of what caused it: those of Node.js, or the server's own. */
function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  for (let each = error; each instanceof Error; each = each.cause) {
    const { code } = each as NodeJS.ErrnoException;
    if (code !== undefined) codes.push(String(code));
  }
  return codes;
}

/** What to do about an error of the client of PostgreSQL; `name` is the setting with the address. */
export function databaseCure(error: unknown, name: string): string {
  const codes = codesOf(error);
  const words = reasonOf(error);
  const obstacle = obstacleOf(codes);
  if (obstacle === 'name') return `Look at the host of ${name}, and whether this machine can resolve names.`;
  if (codes.includes('28P01') || /client password must be/.test(words)) {
    return `Look at user and password of ${name} (percent-encoded, as in p%40ss).`;
  }
  if (codes.includes('3D000')) {
    return `Look at the database, the last part of ${name}. A new one needs TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8', and npm run migrate.`;
  }
  if (codes.includes('28000')) {
    return `Look at the user of ${name}, and at pg_hba.conf of the server: does it let this user and this address in, and does it want TLS (?sslmode=require)?`;
  }
  if (obstacle === 'tls' || /SSL/.test(words)) {
    return `Look at sslmode of ${name}: without it nothing is encrypted. A certificate must be valid for the host; an authority of your own is named by ?sslrootcert=FILE or NODE_EXTRA_CA_CERTS.`;
  }
  if (obstacle === 'port' || /timeout expired/.test(words)) {
    return `Look at host and port of ${name}. Is the server started, does it listen at this address (listen_addresses), and does a firewall let this machine in?`;
  }
  return '';
}

const REDIS: readonly (readonly [RegExp, string])[] = [
  [
    /WRONGPASS|NOAUTH|invalid password|without any password/,
    'Look at user and password of REDIS_URL (percent-encoded, as in p%40ss): redis://USER:PASSWORD@HOST, or redis://:PASSWORD@HOST without a user.',
  ],
  [/NOPERM/, 'The ACL of the user of REDIS_URL must allow all keys, channels and commands.'],
  [/READONLY/, 'REDIS_URL leads to a replica: name the primary.'],
  [/OOM/, 'Give it more memory (maxmemory).'],
];

const REDIS_OBSTACLES: Record<Obstacle, string> = {
  name: 'Look at the host of REDIS_URL, and whether this machine can resolve names.',
  tls: 'Look at TLS: redis:// begins in the clear, rediss:// with TLS. A certificate must be valid for the host; one of your own needs NODE_EXTRA_CA_CERTS.',
  port: 'Look at host and port of REDIS_URL: redis:// begins in the clear, rediss:// with TLS. Is the server started, does it listen at this address (bind), and does a firewall let this machine in?',
};

/** What to do about an error of the client of Redis. */
export function redisCure(error: unknown): string {
  const words = reasonOf(error);
  const told = REDIS.find(([pattern]) => pattern.test(words));
  if (told) return told[1];
  const obstacle = obstacleOf(codesOf(error));
  return obstacle === null ? '' : REDIS_OBSTACLES[obstacle];
}

/** What to do about an error of the folder of DATA_DIR. */
export function folderCure(error: unknown, data_dir: string): string {
  const codes = new Set(codesOf(error));
  if (codes.has('EACCES') || codes.has('EPERM')) {
    const uid = process.geteuid?.();
    return `DATA_DIR and all in it must belong to the account of the service, and doctor must run as it: chown -R ${uid} ${data_dir} gives them to the one that it ran as.`;
  }
  if (codes.has('EROFS')) {
    return 'The disk of DATA_DIR takes no writes: mount it read-write. In containers DATA_DIR is on a volume.';
  }
  if (codes.has('ENOSPC') || codes.has('EDQUOT') || /is full$/.test(reasonOf(error))) {
    return 'Make room on the disk of DATA_DIR.';
  }
  if (codes.has('ENOTDIR') || codes.has('EEXIST'))
    return 'DATA_DIR must be a folder, or where one can be made.';
  return '';
}
