import { z } from 'zod';
import type { DavClient } from './dav.ts';
import { zoneIn } from './discover.ts';
import { CALDAV, CALENDAR_SERVER, DAV } from './multistatus.ts';
import { childOf, type Element } from './xml.ts';

/**
 * What a calendar was like when it was read: `sync`: its token of changes (RFC 6578); `ctag`: a tag that changes with any of
 * its events. `zone` is that of floating times, which depend on it.
 */
export const CalendarState = z.object({
  kind: z.enum(['sync', 'ctag']),
  value: z.string(),
  zone: z.string(),
});

export type CalendarState = z.output<typeof CalendarState>;

/** The state of a calendar now; null where its server tells none, so that all is read each time. Errors: `CalendarFailure`. */
export async function stateOf(
  client: DavClient,
  url: string,
  owner_time_zone: string,
): Promise<{ state: CalendarState | null; time_zone: string | null }> {
  const names = ['sync-token', 'supported-report-set', 'S:getctag', 'C:calendar-timezone'];
  const [response] = (await client.propfind(url, 0, names)).responses;
  const properties = response?.properties ?? new Map<string, Element>();
  const time_zone = zoneIn(properties.get(`${CALDAV} calendar-timezone`));
  const zone = time_zone ?? owner_time_zone;
  const token = properties.get(`${DAV} sync-token`)?.text.trim();
  if (token && offersSync(properties.get(`${DAV} supported-report-set`))) {
    return { state: { kind: 'sync', value: token, zone }, time_zone };
  }
  const ctag = properties.get(`${CALENDAR_SERVER} getctag`)?.text.trim();
  return { state: ctag ? { kind: 'ctag', value: ctag, zone } : null, time_zone };
}

function offersSync(reports: Element | undefined): boolean {
  return (reports?.children ?? []).some((each) =>
    childOf(childOf(each, `${DAV} report`), `${DAV} sync-collection`),
  );
}
