import {
  CalendarFailure,
  type CalendarProvider,
  type Channel,
  type Opening,
  type ReadAsked,
  type Reading,
  type ReadPage,
} from '../provider.ts';
import type { ListedCalendar } from '../record.ts';
import { addressesOf, callGoogle, failureIn, textIn } from './api.ts';
import { type AuthorizedCall, answered, authorizedCalls, itemsIn } from './calls.ts';
import { putEntry, removeEntry } from './entries.ts';
import { changeOf, EVENT_FIELDS } from './events.ts';
import { type TokenSource, tokensOf } from './tokens.ts';

/** Events of one page: what is in memory at a time. */
const PAGE = 250;

/** Calendars of one question about free and busy times, by Google's reference. */
const ASKED_TOGETHER = 50;

/** Google Calendar, by https://developers.google.com/workspace/calendar/api/v3/reference. */
export const googleProvider: CalendarProvider = {
  name: 'google',
  writes: true,
  tells: true,
  open: (opening) => {
    const { google } = opening.services;
    if (!google) throw new CalendarFailure('forbidden', 'provider_not_configured');
    const tokens = tokensOf(opening, google);
    const call = authorizedCalls(opening, google, tokens);
    return {
      calendars: () => calendarsBy(call),
      read: (asked) => read(call, asked),
      entries: {
        put: (calendar_id, entry, before) => putEntry(call, calendar_id, entry, before),
        remove: (calendar_id, key) => removeEntry(call, calendar_id, key),
      },
      busy: (calendar_ids, from, to) => busyIn(call, calendar_ids, from, to),
      channels: {
        open: (calendar_id, channel) => openChannel(call, calendar_id, channel),
        close: async ({ id, resource_id }) => {
          const answer = await call('POST', '/channels/stop', {}, { id, resourceId: resource_id });
          if (answer.status >= 300 && answer.status !== 404 && answer.status !== 410) throw failureIn(answer);
        },
      },
      revoke: () => revoke(opening, tokens),
    };
  },
};

/** The calendars of an account, of which the owner may read the details of events. */
export async function calendarsBy(call: AuthorizedCall): Promise<ListedCalendar[]> {
  const found: ListedCalendar[] = [];
  let pageToken: string | null = '';
  while (pageToken !== null) {
    const query: Record<string, string> = {
      maxResults: String(PAGE),
      fields: 'items(id,summary,summaryOverride,timeZone,primary),nextPageToken',
      ...(pageToken === '' ? {} : { pageToken }),
    };
    const page = answered(await call('GET', '/users/me/calendarList', query));
    for (const item of itemsIn(page)) {
      const id = textIn(item, 'id');
      if (id === null) continue;
      found.push({
        id,
        name: textIn(item, 'summaryOverride') ?? textIn(item, 'summary') ?? id,
        time_zone: textIn(item, 'timeZone'),
        is_primary: (item as { primary?: unknown }).primary === true,
      });
    }
    pageToken = found.length < PAGE ? textIn(page, 'nextPageToken') : null;
  }
  return found;
}

async function read(call: AuthorizedCall, asked: ReadAsked): Promise<Reading> {
  const { calendar_id, sync_token, from, to, owner_time_zone } = asked;
  const path = `/calendars/${encodeURIComponent(calendar_id)}/events`;
  const which: Record<string, string> = sync_token
    ? { syncToken: sync_token }
    : { timeMin: from.toISOString(), timeMax: to.toISOString() };
  const query = {
    singleEvents: 'true',
    maxResults: String(PAGE),
    maxAttendees: '1',
    fields: `items(${EVENT_FIELDS}),timeZone,nextPageToken,nextSyncToken`,
    ...which,
  };
  const page = async (pageToken: string | null) =>
    answered(await call('GET', path, pageToken === null ? query : { ...query, pageToken }));
  // A token that is no longer known is told by the first page, before anything is read.
  const first = await page(null);
  return { holds: sync_token ? 'changes' : 'all', pages: pagesFrom(first, page, owner_time_zone) };
}

async function* pagesFrom(
  first: Record<string, unknown>,
  next: (pageToken: string) => Promise<Record<string, unknown>>,
  owner_time_zone: string,
): AsyncGenerator<ReadPage> {
  let page = first;
  for (;;) {
    const time_zone = textIn(page, 'timeZone');
    const changes = itemsIn(page).map((event) => changeOf(event, time_zone ?? owner_time_zone));
    const pageToken = textIn(page, 'nextPageToken');
    const next_sync_token = pageToken === null ? textIn(page, 'nextSyncToken') : null;
    yield { changes, next_sync_token, time_zone };
    if (pageToken === null) return;
    page = await next(pageToken);
  }
}

async function busyIn(call: AuthorizedCall, calendar_ids: readonly string[], from: Date, to: Date) {
  const groups: string[][] = [];
  for (let at = 0; at < calendar_ids.length; at += ASKED_TOGETHER) {
    groups.push(calendar_ids.slice(at, at + ASKED_TOGETHER));
  }
  const found = await Promise.all(
    groups.map(async (ids) => {
      const body = {
        timeMin: from.toISOString(),
        timeMax: to.toISOString(),
        items: ids.map((id) => ({ id })),
      };
      const { calendars } = answered(await call('POST', '/freeBusy', {}, body));
      return ids.flatMap((id) => spansOf(((calendars ?? {}) as Record<string, unknown>)[id]));
    }),
  );
  return found.flat();
}

/** Errors: `CalendarFailure` where Google does not tell about the calendar. */
function spansOf(calendar: unknown): { start: Date; end: Date }[] {
  const { busy, errors } = (calendar ?? {}) as { busy?: unknown; errors?: unknown[] };
  if ((errors && errors.length > 0) || !Array.isArray(busy)) {
    throw new CalendarFailure('unavailable', 'not_told');
  }
  return busy.map((span) => {
    const [start, end] = ['start', 'end'].map((name) => new Date(textIn(span, name) ?? Number.NaN));
    if (Number.isNaN(start!.getTime()) || Number.isNaN(end!.getTime())) {
      throw new CalendarFailure('broken', 'not_understood');
    }
    return { start: start!, end: end! };
  });
}

async function openChannel(
  call: AuthorizedCall,
  calendar_id: string,
  { id, token, address }: { id: string; token: string; address: string },
): Promise<Channel> {
  const path = `/calendars/${encodeURIComponent(calendar_id)}/events/watch`;
  const made = answered(await call('POST', path, {}, { id, type: 'web_hook', address, token }));
  const resource_id = textIn(made, 'resourceId');
  const expires_at = new Date(Number(textIn(made, 'expiration') ?? Number.NaN));
  if (resource_id === null || Number.isNaN(expires_at.getTime())) {
    throw new CalendarFailure('broken', 'not_understood');
  }
  return { id, resource_id, expires_at };
}

/** A token that Google does not know any more is revoked. */
async function revoke({ services, signal }: Opening, tokens: TokenSource): Promise<void> {
  const answer = await callGoogle(services, {
    method: 'POST',
    url: addressesOf(services.google!).revoke,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token: await tokens.refreshToken() }).toString(),
    signal,
  });
  if (answer.status === 429 || answer.status >= 500) throw failureIn(answer);
}
