import { hash } from 'node:crypto';
import { z } from 'zod';
import { busyTimesOf, callCalendar, changeOf, openedOf, refusalOf, unchanged } from '../by-address.ts';
import type { CalendarProvider, EventChange, Opening, ReadAsked, Reading, ReadPage } from '../provider.ts';
import type { ListedCalendar } from '../record.ts';

/** A feed of iCalendar (RFC 5545) that anybody reads who knows its address: the address is its secret. */
export const icsProvider: CalendarProvider = {
  name: 'ics',
  writes: false,
  tells: false,
  open: (opening) => ({
    calendars: async () => [feedAt((await openedOf(opening)).secret)],
    read: (asked) => read(opening, asked),
    revoke: async () => undefined,
  }),
};

/** The one calendar of a feed. Its name is the host: the rest of the address may be secret. */
export function feedAt(url: string): ListedCalendar {
  return { id: 'feed', name: new URL(url).host, time_zone: null, is_primary: true };
}

/** What tells whether a feed changed: what its server said of it (RFC 9110, 13.1), else its content. */
const Known = z.object({
  etag: z.string().nullable(),
  modified: z.string().nullable(),
  content: z.string(),
  /** Floating times depend on it. */
  zone: z.string(),
});

type Known = z.output<typeof Known>;

async function read(opening: Opening, asked: ReadAsked): Promise<Reading> {
  const { services, signal } = opening;
  const { secret: url, owner_addresses } = await openedOf(opening);
  const known = knownBy(asked);
  const headers: Record<string, string> = { Accept: 'text/calendar, */*;q=0.1' };
  if (known?.etag) headers['If-None-Match'] = known.etag;
  else if (known?.modified) headers['If-Modified-Since'] = known.modified;
  const answer = await callCalendar(services, { url, method: 'GET', headers }, { signal });
  if (answer.status === 304 && known) return unchanged(JSON.stringify(known));
  if (answer.status !== 200) throw refusalOf(answer);
  const now: Known = {
    etag: answer.headers.etag ?? null,
    modified: answer.headers['last-modified'] ?? null,
    content: hash('sha256', answer.body, 'base64url'),
    zone: asked.owner_time_zone,
  };
  const next_sync_token = JSON.stringify(now);
  if (known?.content === now.content) return unchanged(next_sync_token);
  const question = { form: 'icalendar', time_zone: null, owner_addresses } as const;
  const { busy, time_zone } = await busyTimesOf(answer.body, question, asked, { signal });
  return { holds: 'all', pages: inParts(busy.map(changeOf), next_sync_token, time_zone) };
}

/** Events of one page: what is written at a time. */
const PAGE = 500;

async function* inParts(
  changes: readonly EventChange[],
  token: string,
  time_zone: string | null,
): AsyncGenerator<ReadPage> {
  for (let at = 0; at === 0 || at < changes.length; at += PAGE) {
    const next_sync_token = at + PAGE >= changes.length ? token : null;
    yield { changes: changes.slice(at, at + PAGE), next_sync_token, time_zone };
  }
}

/** What was known at the last reading; null where all of the feed is asked for. */
function knownBy({ sync_token, owner_time_zone }: ReadAsked): Known | null {
  if (sync_token === null) return null;
  const { data } = Known.safeParse(JSON.parse(sync_token));
  return data?.zone === owner_time_zone ? data : null;
}
