import type { OutsideAnswer } from '../../../platform/outside/call.ts';
import { OutsideFailure } from '../../../platform/outside/failure.ts';
import type { GoogleClient, OutsideServices } from '../../../platform/outside/open.ts';
import { CalendarFailure } from '../provider.ts';

/** One call may take so long, and answer so much: a page of 250 events with long texts has about 1 MB. */
const TIME_LIMIT = 15_000;
const MOST_BYTES = 10_000_000;

/** Where Google answers what. */
export function addressesOf({ url }: GoogleClient) {
  return url === null
    ? {
        consent: 'https://accounts.google.com/o/oauth2/v2/auth',
        token: 'https://oauth2.googleapis.com/token',
        revoke: 'https://oauth2.googleapis.com/revoke',
        calendar: 'https://www.googleapis.com/calendar/v3',
      }
    : {
        consent: `${url}/o/oauth2/v2/auth`,
        token: `${url}/token`,
        revoke: `${url}/revoke`,
        calendar: `${url}/calendar/v3`,
      };
}

export type GoogleCall = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal | undefined;
  time_limit?: number;
};

/** Any answer of Google. Errors: `CalendarFailure` `unavailable` where there is none. */
export async function callGoogle(
  { call }: Pick<OutsideServices, 'call'>,
  { signal, time_limit = TIME_LIMIT, ...asked }: GoogleCall,
): Promise<OutsideAnswer> {
  try {
    return await call({ ...asked, time_limit, most_bytes: MOST_BYTES, ...(signal ? { signal } : {}) });
  } catch (error) {
    if (!(error instanceof OutsideFailure)) throw error;
    // Whoever aborts the call knows why: the failure is theirs to tell.
    signal?.throwIfAborted();
    throw new CalendarFailure(error.reason === 'too_large' ? 'broken' : 'unavailable', error.reason);
  }
}

/** The object of an answer. Errors: `CalendarFailure` `broken`. */
export function objectIn({ body }: Pick<OutsideAnswer, 'body'>): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(body.toString('utf8'));
    if (typeof read === 'object' && read !== null) return read as Record<string, unknown>;
  } catch {
    // What is no JSON is told below.
  }
  throw new CalendarFailure('broken', 'not_understood');
}

/** Words of Google for a 403 that is none of rights: the caller is to wait. */
const RATE = new Set(['rateLimitExceeded', 'userRateLimitExceeded', 'quotaExceeded', 'dailyLimitExceeded']);

/** What a refusal means, by https://developers.google.com/workspace/calendar/api/guides/errors. */
export function failureIn(answer: OutsideAnswer): CalendarFailure {
  const { status, headers } = answer;
  const wait = waitIn(headers['retry-after']);
  if (status === 401) return new CalendarFailure('reauth_required', 'token_refused');
  if (status === 429 || (status === 403 && RATE.has(reasonIn(answer)))) {
    return new CalendarFailure('rate', 'rate_limited', wait);
  }
  if (status === 403) return new CalendarFailure('forbidden', 'not_allowed');
  if (status === 404 || status === 410) return new CalendarFailure('gone', 'not_found');
  if (status >= 500) return new CalendarFailure('unavailable', `status_${status}`, wait);
  return new CalendarFailure('broken', `status_${status}`);
}

/** The reason of the first of the errors that an answer names; empty where it names none. */
export function reasonIn(answer: OutsideAnswer): string {
  try {
    const { error } = objectIn(answer) as { error?: { errors?: { reason?: string }[] } };
    return error?.errors?.[0]?.reason ?? '';
  } catch {
    return '';
  }
}

/** Milliseconds of a Retry-After in seconds, an hour at most; null where there is none, or no wait. */
function waitIn(header: string | undefined): number | null {
  return /^0*[1-9]\d{0,5}$/.test(header ?? '') ? Math.min(Number(header), 3_600) * 1_000 : null;
}

/** The text of a member; null where it is none. */
export function textIn(value: unknown, name: string): string | null {
  const text = ((value ?? {}) as Record<string, unknown>)[name];
  return typeof text === 'string' && text !== '' ? text : null;
}
