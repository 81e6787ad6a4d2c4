import { CalendarFailure } from '../provider.ts';
import { type DavClient, NAMESPACES } from './dav.ts';
import { escapeXml } from './xml.ts';

/** Pages of changes that are asked for at most: more is not an answer that ends. */
const MOST_PAGES = 100;
const MOST_RESOURCES = 10_000;

/**
 * The resources of a calendar that have an event between two instants (RFC 4791, 7.8). Errors: `CalendarFailure`, `broken`
 * with `too_many_events` for more than 10,000.
 */
export async function eventsBetween(client: DavClient, url: string, from: Date, to: Date): Promise<string[]> {
  const range = `<C:time-range start="${utcText(from)}" end="${utcText(to)}"/>`;
  const events = `<C:comp-filter name="VEVENT">${range}</C:comp-filter>`;
  const filter = `<C:filter><C:comp-filter name="VCALENDAR">${events}</C:comp-filter></C:filter>`;
  const body = `<C:calendar-query ${NAMESPACES}><prop><getetag/></prop>${filter}</C:calendar-query>`;
  const { responses } = await client.report(url, body);
  return bounded(responses.map(({ href }) => resourceAt(href, url)));
}

/**
 * The resources that were changed since a token was given (RFC 6578), those that were removed, and the token of now; null where
 * the server does not take the token any more. Errors: `CalendarFailure`.
 */
export async function changedSince(
  client: DavClient,
  url: string,
  token: string,
): Promise<{ resources: string[]; removed: ReadonlySet<string>; sync_token: string } | null> {
  const gone = new Map<string, boolean>();
  let sync_token = token;
  for (let page = 0; page < MOST_PAGES; page++) {
    const said = await pageSince(client, url, sync_token);
    if (!said?.sync_token) return null;
    sync_token = said.sync_token;
    // The calendar itself stands among them with 507 where there is more.
    const more = said.responses.some(({ status }) => status === 507);
    for (const { href, status } of said.responses) {
      if (status !== 507) gone.set(resourceAt(href, url), status === 404 || status === 410);
    }
    if (more) continue;
    const resources = bounded([...gone.keys()]);
    return { resources, removed: new Set(resources.filter((each) => gone.get(each))), sync_token };
  }
  return null;
}

async function pageSince(client: DavClient, url: string, token: string) {
  const asked = `<sync-token>${escapeXml(token)}</sync-token><sync-level>1</sync-level><prop><getetag/></prop>`;
  try {
    return await client.report(url, `<sync-collection ${NAMESPACES}>${asked}</sync-collection>`);
  } catch (error) {
    if (error instanceof CalendarFailure && REFUSED_TOKENS.has(error.word)) return null;
    throw error;
  }
}

/** How servers answer a token that they do not know: 403 or 409 by RFC 6578, others besides. */
const REFUSED_TOKENS = new Set(['status_400', 'status_403', 'status_409', 'status_412', 'status_507']);

/** The texts of some resources, as the server answers them (RFC 4791, 7.9). Errors: `CalendarFailure`. */
export function contentOf(client: DavClient, url: string, resources: readonly string[]): Promise<Buffer> {
  const hrefs = resources.map((each) => `<href>${escapeXml(new URL(each).pathname)}</href>`).join('');
  const prop = '<prop><getetag/><C:calendar-data/></prop>';
  return client.rawReport(url, `<C:calendar-multiget ${NAMESPACES}>${prop}${hrefs}</C:calendar-multiget>`);
}

/** The address of a resource of a calendar. Errors: `CalendarFailure` `broken`. */
export function resourceAt(href: string, url: string): string {
  if (!URL.canParse(href, url)) throw new CalendarFailure('broken', 'not_understood');
  return new URL(href, url).href;
}

function bounded(resources: string[]): string[] {
  if (resources.length > MOST_RESOURCES) throw new CalendarFailure('broken', 'too_many_events');
  return resources;
}

/** An instant as `20261126T091500Z`. */
function utcText(instant: Date): string {
  return instant.toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '');
}
