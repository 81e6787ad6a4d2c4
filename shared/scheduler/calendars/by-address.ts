import { Failure, invalid } from '../../kernel/failure.ts';
import { systemActor } from '../../kernel/reader.ts';
import type { OutsideAnswer, OutsideCall } from '../../platform/outside/call.ts';
import { OutsideFailure, type OutsideReason } from '../../platform/outside/failure.ts';
import type { OutsideServices } from '../../platform/outside/open.ts';
import { ReaderFailure, type ReaderReason } from '../../platform/readers/failure.ts';
import { CalendarFailure, type Opening, type ReadAsked, type Reading, type ReadPage } from './provider.ts';
import { DAYS_AHEAD, MOST_EVENTS, readCalendar } from './reading/reader.ts';
import type { BusyTime, CalendarQuestion, ReadCalendar } from './reading/types.ts';
import { openSecret } from './secrets.ts';

/** Milliseconds and bytes of one call to a calendar that its owner gave the address of. */
export const TIME_LIMIT = 10_000;
export const MOST_BYTES = 10 * 1024 * 1024;

const MOST_REDIRECTS = 5;

type ByAddress = Pick<OutsideServices, 'named_by_members'>;

/**
 * Sees that an address may be called, without calling it. One that nobody knows, or that does not answer, is not refused:
 * the connection shows what is wrong. Errors: `forbidden_address`, `validation_failed`.
 */
export async function checkAddress({ named_by_members }: ByAddress, url: string): Promise<void> {
  const reason = await named_by_members.check(url, TIME_LIMIT);
  if (reason === 'address_refused') throw new Failure('forbidden_address');
  if (reason !== 'url' && reason !== 'insecure') return;
  throw invalid('/url', 'invalid_value', {
    en: 'url must be an address that begins with https://, without a name or password in it',
    ja: 'url にはhttps://で始まり、ユーザー名やパスワードを含まないアドレスを指定してください',
  });
}

/** Any answer of a calendar. Errors: `CalendarFailure` where there is none. */
export async function callCalendar(
  { named_by_members }: ByAddress,
  call: Omit<OutsideCall, 'time_limit' | 'most_bytes' | 'redirects' | 'keeps_host' | 'signal'>,
  { most_bytes = MOST_BYTES, signal }: { most_bytes?: number; signal?: AbortSignal | undefined } = {},
): Promise<OutsideAnswer> {
  const limits = { time_limit: TIME_LIMIT, most_bytes, redirects: MOST_REDIRECTS, keeps_host: true };
  try {
    return await named_by_members.call({ ...call, ...limits, ...(signal ? { signal } : {}) });
  } catch (error) {
    if (!(error instanceof OutsideFailure)) throw error;
    signal?.throwIfAborted();
    const { reason } = error;
    throw new CalendarFailure(PASSING.has(reason) ? 'unavailable' : 'broken', WORDS[reason] ?? reason);
  }
}

/** What may be otherwise at the next try. An answer that does not end is the calendar's own. */
const PASSING: ReadonlySet<OutsideReason> = new Set(['dns', 'connect', 'tls', 'reset', 'aborted']);

const WORDS: Readonly<Partial<Record<OutsideReason, string>>> = {
  address_refused: 'forbidden_address',
  timeout: 'too_slow',
};

/** What a refusal of a calendar means. */
export function refusalOf({ status, headers }: Pick<OutsideAnswer, 'status' | 'headers'>): CalendarFailure {
  if (status === 401) return new CalendarFailure('reauth_required', 'access_refused');
  const seconds = Number(headers['retry-after']);
  const wait = seconds > 0 ? Math.min(seconds, 3_600) * 1_000 : null;
  if (status === 429) return new CalendarFailure('rate', 'rate_limited', wait);
  if (status >= 500) return new CalendarFailure('unavailable', `status_${status}`, wait);
  return new CalendarFailure('broken', `status_${status}`);
}

/** What opens a connection, and the addresses by which its owner is invited. Errors: `CalendarFailure`. */
export async function openedOf(
  opening: Opening,
): Promise<{ secret: string; owner_addresses: readonly string[] }> {
  const { database, services, organization_id, connection_id, clock } = opening;
  return database.withConnection(organization_id, async (connection) => {
    const reader = {
      connection,
      organization_id,
      actor: systemActor,
      now: clock(),
      request_id: null,
      ip_address: null,
    };
    const [owner] = await connection.query<{ email: string; account: string }>(
      `SELECT account.email, connection.account
         FROM scheduler_connections AS connection JOIN users AS account ON account.id = connection.user_id
        WHERE connection.organization_id = $1 AND connection.id = $2`,
      [organization_id, connection_id],
    );
    const owner_addresses = owner ? [owner.email, owner.account].map((text) => text.toLowerCase()) : [];
    return { secret: await openSecret(reader, services.secret_keys, connection_id), owner_addresses };
  });
}

/** The busy times of a text that a calendar answered. Errors: `CalendarFailure` `broken`. */
export async function busyTimesOf(
  content: Buffer,
  question: Pick<CalendarQuestion, 'form' | 'time_zone' | 'owner_addresses'>,
  { from, to, owner_time_zone }: ReadAsked,
  { most_events = MOST_EVENTS, signal }: { most_events?: number; signal?: AbortSignal | undefined } = {},
): Promise<ReadCalendar> {
  const latest = from.getTime() + (DAYS_AHEAD + 1) * 86_400_000;
  const window = { from: from.getTime(), to: Math.min(to.getTime(), latest) };
  try {
    return await readCalendar({ ...question, ...window, owner_time_zone, most_events }, content, signal);
  } catch (error) {
    if (!(error instanceof ReaderFailure)) throw error;
    signal?.throwIfAborted();
    throw new CalendarFailure('broken', error.word ?? READER_WORDS[error.reason]);
  }
}

const READER_WORDS: Readonly<Record<ReaderReason, string>> = {
  time: 'takes_too_long',
  memory: 'too_large',
  answer_too_large: 'too_many_events',
  refused: 'not_a_calendar',
  crashed: 'not_understood',
  aborted: 'aborted',
};

/** A busy time as a change of the calendar. */
export function changeOf({ key, uid, start, end, all_day, title }: BusyTime) {
  return { key, uid, busy: { start: new Date(start), end: new Date(end), all_day, title } };
}

/** That nothing changed, with the token that says so the next time. */
export function unchanged(next_sync_token: string): Reading {
  return { holds: 'changes', pages: noChange(next_sync_token) };
}

async function* noChange(next_sync_token: string): AsyncGenerator<ReadPage> {
  yield { changes: [], next_sync_token };
}
