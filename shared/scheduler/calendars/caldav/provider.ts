import { hash } from 'node:crypto';
import { CalendarAccount } from '../addresses.ts';
import { busyTimesOf, changeOf, openedOf, unchanged } from '../by-address.ts';
import {
  CalendarFailure,
  type CalendarProvider,
  type EventChange,
  type Opening,
  type ReadAsked,
  type Reading,
  type ReadPage,
} from '../provider.ts';
import { MOST_EVENTS } from '../reading/reader.ts';
import { changedSince, contentOf, eventsBetween, resourceAt } from './changes.ts';
import { type DavClient, davClient } from './dav.ts';
import { discoverCalendars } from './discover.ts';
import { CalendarState, stateOf } from './state.ts';

/** A calendar on a server of CalDAV (RFC 4791). It is only read. */
export const caldavProvider: CalendarProvider = {
  name: 'caldav',
  writes: false,
  tells: false,
  open: (opening) => ({
    calendars: async () => {
      const { account, client } = await signIn(opening);
      return discoverCalendars(client, account.url);
    },
    read: (asked) => read(opening, asked),
    revoke: async () => undefined,
  }),
};

async function signIn(opening: Opening) {
  const { secret, owner_addresses } = await openedOf(opening);
  const account = CalendarAccount.parse(JSON.parse(secret));
  return { account, owner_addresses, client: davClient(opening.services, account, opening.signal) };
}

/** Resources whose texts are asked for at a time. */
const TOGETHER = 100;

/** What is read of one calendar. */
type Calendar = {
  opening: Opening;
  asked: ReadAsked;
  client: DavClient;
  owner_addresses: readonly string[];
  time_zone: string | null;
};

async function read(opening: Opening, asked: ReadAsked): Promise<Reading> {
  const { client, owner_addresses } = await signIn(opening);
  const { calendar_id: url, owner_time_zone } = asked;
  // Before the events: what changes while they are read is a change the next time.
  const { state, time_zone } = await stateOf(client, url, owner_time_zone);
  const known = knownBy(asked);
  const calendar: Calendar = { opening, asked, client, owner_addresses, time_zone };
  if (known && known.kind === state?.kind && known.zone === state.zone) {
    if (known.value === state.value) return unchanged(JSON.stringify(state));
    const since = known.kind === 'sync' ? await changedSince(client, url, known.value) : null;
    if (since) {
      const next = JSON.stringify({ ...state, value: since.sync_token });
      return { holds: 'changes', pages: pagesOf(calendar, since, next, 'changes') };
    }
  }
  const found = {
    resources: await eventsBetween(client, url, asked.from, asked.to),
    removed: new Set<string>(),
  };
  return { holds: 'all', pages: pagesOf(calendar, found, state && JSON.stringify(state), 'all') };
}

function knownBy({ sync_token }: ReadAsked): CalendarState | null {
  return sync_token === null ? null : (CalendarState.safeParse(JSON.parse(sync_token)).data ?? null);
}

async function* pagesOf(
  calendar: Calendar,
  { resources, removed }: { resources: readonly string[]; removed: ReadonlySet<string> },
  token: string | null,
  holds: Reading['holds'],
): AsyncGenerator<ReadPage> {
  let taken = 0;
  for (let at = 0; at === 0 || at < resources.length; at += TOGETHER) {
    const part = resources.slice(at, at + TOGETHER);
    const living = part.filter((each) => !removed.has(each));
    const found = await changesOf(calendar, living, MOST_EVENTS - taken);
    taken += found.length;
    const stale = holds === 'all' ? [] : await staleOf(calendar, part, found);
    const next_sync_token = at + TOGETHER >= resources.length ? token : null;
    yield { changes: [...found, ...stale], next_sync_token, time_zone: calendar.time_zone };
  }
}

/**
 * The busy times of some resources. Those whose texts are too large together are asked for by halves, those that an answer
 * leaves out once more. Errors: `CalendarFailure`, `unavailable` for what the server fails at: what it holds is not known, so
 * all is read again by the token of before.
 */
async function changesOf(
  calendar: Calendar,
  resources: readonly string[],
  most_events: number,
): Promise<EventChange[]> {
  if (resources.length === 0) return [];
  const told = await toldOf(calendar, resources, most_events);
  if (!told) {
    const half = Math.ceil(resources.length / 2);
    const first = await changesOf(calendar, resources.slice(0, half), most_events);
    return [...first, ...(await changesOf(calendar, resources.slice(half), most_events - first.length))];
  }
  const { changes, left } = told;
  if (left.length === resources.length) throw new CalendarFailure('unavailable', 'not_all_told');
  return [...changes, ...(await changesOf(calendar, left, most_events - changes.length))];
}

/** What one answer tells of resources, and those that it tells nothing of; null where it is too large. */
async function toldOf(
  { opening, asked, client, owner_addresses, time_zone }: Calendar,
  resources: readonly string[],
  most_events: number,
): Promise<{ changes: EventChange[]; left: string[] } | null> {
  try {
    const content = await contentOf(client, asked.calendar_id, resources);
    const question = { form: 'multistatus', time_zone, owner_addresses } as const;
    const limits = { most_events, signal: opening.signal };
    const read = await busyTimesOf(content, question, asked, limits);
    const told = new Set(read.resources.map((href) => placeOf(href, asked.calendar_id)));
    const changes = read.busy.map((time) => ({
      ...changeOf(time),
      key: `${resourceKey(resourceAt(time.resource, asked.calendar_id))}/${time.key}`,
    }));
    return { changes, left: resources.filter((each) => !told.has(placeOf(each, asked.calendar_id))) };
  } catch (error) {
    const is_large = error instanceof CalendarFailure && error.word === 'too_large';
    if (!is_large || resources.length === 1) throw error;
    return null;
  }
}

/** The path of a resource, however its server escapes it. */
function placeOf(href: string, url: string): string {
  const { pathname } = new URL(resourceAt(href, url));
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

/** Times of changed resources that were read before and are there no more: a resource may hold a whole series. */
async function staleOf(
  { opening, asked }: Calendar,
  resources: readonly string[],
  found: readonly EventChange[],
): Promise<EventChange[]> {
  const { database, organization_id, connection_id } = opening;
  const rows = await database.withConnection(organization_id, (connection) =>
    connection.query<{ external_key: string }>(
      `SELECT external_key FROM scheduler_external_events
        WHERE organization_id = $1 AND connection_id = $2 AND calendar_id = $3
          AND split_part(external_key, '/', 1) = ANY ($4)`,
      [organization_id, connection_id, asked.calendar_id, resources.map(resourceKey)],
    ),
  );
  const keys = new Set(found.map(({ key }) => key));
  const stale = rows.map((row) => row.external_key).filter((key) => !keys.has(key));
  return stale.map((key) => ({ key, uid: null, busy: null }));
}

/** Begins the keys of all times of a resource. */
function resourceKey(url: string): string {
  return hash('sha256', url, 'base64url').slice(0, 22);
}
