import { Failure } from '../kernel/failure.ts';
import type { Text } from '../kernel/language.ts';
import type { Trouble, TroubleKind } from '../kernel/trouble.ts';

type Outage = Trouble & { retry_after: number };

/** What each outage says in both languages; logs and jobs keep the English. */
const texts: Text[] = [];

const outage = (kind: TroubleKind, retry_after: number, text: Text): Outage => {
  texts.push(text);
  return { kind, retry_after, sentence: text.en };
};

const TOO_MANY = outage('too_many_connections', 5, {
  en: 'PostgreSQL has no connection left: lower POOL_SIZE, raise max_connections, or put a pooler in front of it.',
  ja: 'PostgreSQLの接続に空きがありません。POOL_SIZE を下げるか、max_connections を上げるか、接続プーラーを置いてください。',
});
const LIMIT = outage('limit_reached', 10, {
  en: 'PostgreSQL has reached a limit of its configuration, such as temp_file_limit: its own log names it.',
  ja: 'PostgreSQLが temp_file_limit などの設定の上限に達しました。どの上限かはPostgreSQLのログにあります。',
});

/** Refusals for want of something: https://www.postgresql.org/docs/current/errcodes-appendix.html, class 53 and others. */
const OUTAGES: Record<string, Outage> = {
  '53000': LIMIT,
  '53100': outage('disk_full', 30, {
    en: 'The disk of PostgreSQL is full: free or add space. Nothing else is needed.',
    ja: 'PostgreSQLのディスクがいっぱいです。空き容量を増やせば、ほかの操作なしで復旧します。',
  }),
  '53200': outage('out_of_memory', 10, {
    en: 'PostgreSQL is out of memory: give it more, or lower work_mem or POOL_SIZE.',
    ja: 'PostgreSQLのメモリが足りません。メモリを増やすか、work_mem または POOL_SIZE を下げてください。',
  }),
  '53300': TOO_MANY,
  '53400': LIMIT,
  '25006': outage('read_only', 30, {
    en: 'PostgreSQL takes no writes: DATABASE_URL leads to a standby, or default_transaction_read_only is on.',
    ja: 'PostgreSQLが書き込みを受け付けません。DATABASE_URL が待機系を指しているか、default_transaction_read_only が有効です。',
  }),
};

const AWAY = outage('away', 1, {
  en: 'PostgreSQL does not answer, or is starting or shutting down.',
  ja: 'PostgreSQLが応答しないか、起動中または停止中です。',
});

export const outageTexts: readonly Text[] = texts;

/** A Failure `unavailable` for an error that is an outage of the server or of the way to it; null for every other one. */
export function unavailableBy(error: unknown): Failure | null {
  const code = pathOf(error, 'code') ?? '';
  const { retry_after, ...trouble } =
    OUTAGES[code] ?? (isLost(error) ? AWAY : { kind: null, retry_after: 0 });
  if (trouble.kind === null) return null;
  return new Failure('unavailable', {
    headers: { 'Retry-After': String(retry_after) },
    cause: error,
    trouble,
  });
}

/** A Failure `unavailable` for whatever kept this process from getting a connection. */
export function unavailableWithout(error: unknown): Failure {
  return (
    unavailableBy(error) ??
    new Failure('unavailable', {
      headers: { 'Retry-After': String(AWAY.retry_after) },
      cause: error,
      trouble: AWAY,
    })
  );
}

/** What the system says of a socket to a server that is gone or out of reach. */
const LOST_SOCKET: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

const LOST =
  /connection terminated|connection error|connection timeout|client was closed|query read timeout/i;

/**
 * Whether the error says that the server or the connection is gone, rather than that a statement was wrong: class 08,
 * 57P01 to 57P05 (the server shuts down, starts, or ends a session), 25P03 (a transaction stood idle for too long).
 */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (/^(08|57P0[1-5]|25P03)/.test(code)) return true;
  if (LOST_SOCKET.has(code)) return true;
  // The socket of a server on this machine; any other call means a file, which is none of the server's.
  if (code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect') return true;
  return LOST.test(error.message);
}

/** Objection and the driver wrap errors; the field may stand on the inner one. */
export function pathOf(error: unknown, field: 'code' | 'constraint'): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const found = (error as Record<string, unknown>)[field];
  if (typeof found === 'string') return found;
  return pathOf((error as { nativeError?: unknown }).nativeError, field);
}
