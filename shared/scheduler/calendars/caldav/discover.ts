import { isIP } from 'node:net';
import { CalendarFailure } from '../provider.ts';
import { zoneNamed } from '../reading/zone-names.ts';
import type { ListedCalendar } from '../record.ts';
import type { DavClient } from './dav.ts';
import { CALDAV, DAV, type DavResponse, hrefOf, type Multistatus } from './multistatus.ts';
import { childOf, type Element } from './xml.ts';

const OF_CALENDAR = [
  'resourcetype',
  'displayname',
  'C:supported-calendar-component-set',
  'C:calendar-timezone',
];

/** Calendars of one account that are listed. */
const MOST_CALENDARS = 250;

/** Letters of a name that are kept, and of an address that names a calendar in the index of the database. */
const MOST_LETTERS = 200;
const MOST_ADDRESS = 2_000;

/**
 * Finds the calendars of an account (RFC 6764, RFC 4791): from the address that its owner knows to the principal, from there
 * to the home of the calendars. The address may also be that of one calendar. The first one listed is the primary one.
 * Errors: `CalendarFailure`.
 */
export async function discoverCalendars(client: DavClient, url: string): Promise<ListedCalendar[]> {
  const { at, response } = await firstStep(client, url);
  if (isCalendar(response)) return listed([{ at, response }]);
  const home = addressIn(response, `${CALDAV} calendar-home-set`, at) ?? (await homeOf(client, response, at));
  const found = await client.propfind(home, 1, OF_CALENDAR);
  return listed(found.responses.map((each) => ({ at: ledTo(each.href, home), response: each })));
}

/** What the address itself says, or else what the well-known one of its host does. */
async function firstStep(client: DavClient, url: string): Promise<{ at: string; response: DavResponse }> {
  const asked = [...OF_CALENDAR, 'current-user-principal', 'C:calendar-home-set'];
  const at = new URL(url).href;
  const known = new URL('/.well-known/caldav', at).href;
  const first = await client.propfind(at, 0, asked).catch((error: unknown) => {
    if (error instanceof CalendarFailure && error.reason !== 'reauth_required') return error;
    throw error;
  });
  if (!(first instanceof CalendarFailure)) {
    const [response] = first.responses;
    if (response && (isCalendar(response) || leads(response))) return { at, response };
  }
  const [response] = (
    await client.propfind(known, 0, asked).catch((error: unknown) => {
      throw first instanceof CalendarFailure ? first : error;
    })
  ).responses;
  if (response && leads(response)) return { at: known, response };
  throw new CalendarFailure('broken', 'no_calendars');
}

function leads({ properties }: DavResponse): boolean {
  return properties.has(`${DAV} current-user-principal`) || properties.has(`${CALDAV} calendar-home-set`);
}

async function homeOf(client: DavClient, response: DavResponse, at: string): Promise<string> {
  const principal = addressIn(response, `${DAV} current-user-principal`, at);
  const said: Multistatus | null = principal
    ? await client.propfind(principal, 0, ['C:calendar-home-set'])
    : null;
  const [first] = said?.responses ?? [];
  const home = first ? addressIn(first, `${CALDAV} calendar-home-set`, principal!) : null;
  if (home === null) throw new CalendarFailure('broken', 'no_calendars');
  return home;
}

function addressIn({ properties }: DavResponse, name: string, at: string): string | null {
  const href = hrefOf(properties.get(name));
  return href === null ? null : ledTo(href, at);
}

/**
 * Where an address in an answer leads. Passwords are sent there: it is the same host, or as with large providers another one
 * of the same domain, by the same scheme. Errors: `CalendarFailure` `broken`.
 */
function ledTo(href: string, at: string): string {
  const from = new URL(at);
  const to = URL.canParse(href, from) ? new URL(href, from) : null;
  if (!to || to.protocol !== from.protocol || !(to.host === from.host || isNear(to, from))) {
    throw new CalendarFailure('broken', 'leads_elsewhere');
  }
  return to.href;
}

function isNear(to: URL, from: URL): boolean {
  const [, ...parent] = from.hostname.split('.');
  return parent.length >= 2 && !isIP(from.hostname) && to.hostname.endsWith(`.${parent.join('.')}`);
}

function isCalendar({ properties }: DavResponse): boolean {
  const set = properties.get(`${CALDAV} supported-calendar-component-set`);
  const takes_events =
    !set || set.children.some(({ attributes }) => attributes.name?.toUpperCase() === 'VEVENT');
  return takes_events && childOf(properties.get(`${DAV} resourcetype`), `${CALDAV} calendar`) !== undefined;
}

function listed(found: readonly { at: string; response: DavResponse }[]): ListedCalendar[] {
  const calendars = found
    .filter(({ at, response }) => at.length <= MOST_ADDRESS && isCalendar(response))
    .slice(0, MOST_CALENDARS);
  if (calendars.length === 0) throw new CalendarFailure('broken', 'no_calendars');
  return calendars.map(({ at, response: { properties } }, position) => ({
    id: at,
    name: nameOf(properties.get(`${DAV} displayname`)) || nameIn(at).slice(0, MOST_LETTERS),
    time_zone: zoneIn(properties.get(`${CALDAV} calendar-timezone`)),
    is_primary: position === 0,
  }));
}

/** A name that the database can store. */
function nameOf(said: Element | undefined): string {
  return (said?.text ?? '').replaceAll('\0', '').trim().slice(0, MOST_LETTERS).toWellFormed();
}

function nameIn(at: string): string {
  return new URL(at).pathname.split('/').filter(Boolean).at(-1) ?? new URL(at).host;
}

/** The zone that a calendar's own definition of one is about (RFC 4791, 5.2.2). */
export function zoneIn(definition: Element | undefined): string | null {
  const tzid = /^TZID:(.+?)\r?$/m.exec(definition?.text ?? '')?.[1];
  return tzid === undefined ? null : zoneNamed(tzid.trim());
}
