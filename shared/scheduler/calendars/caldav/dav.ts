import type { OutsideServices } from '../../../platform/outside/open.ts';
import type { CalendarAccount } from '../addresses.ts';
import { callCalendar, MOST_BYTES, refusalOf } from '../by-address.ts';
import { CalendarFailure } from '../provider.ts';
import { CALDAV, CALENDAR_SERVER, DAV, type Multistatus, readMultistatus } from './multistatus.ts';

/** Answers that this process reads itself: names and states of calendars, and addresses of events. */
const MOST_OF_NAMES = 1024 * 1024;
const MOST_OF_ADDRESSES = 4 * 1024 * 1024;

export type DavClient = {
  /** Properties of a resource, and with depth 1 of what is in it. Errors: `CalendarFailure`. */
  propfind(url: string, depth: 0 | 1, properties: readonly string[]): Promise<Multistatus>;
  /** The answer to a report, read. Errors: `CalendarFailure`. */
  report(url: string, body: string): Promise<Multistatus>;
  /** The answer to a report as it came: texts of calendars are read elsewhere. Errors: `CalendarFailure`. */
  rawReport(url: string, body: string): Promise<Buffer>;
};

/** Names of elements as they are written in the bodies of requests. */
export const NAMESPACES = `xmlns="${DAV}" xmlns:C="${CALDAV}" xmlns:S="${CALENDAR_SERVER}"`;

/** Speaks WebDAV (RFC 4918) with an account's name and password. Nothing is written. */
export function davClient(
  services: Pick<OutsideServices, 'named_by_members'>,
  { username, password }: CalendarAccount,
  signal?: AbortSignal,
): DavClient {
  const Authorization = `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;

  async function ask(
    method: 'PROPFIND' | 'REPORT',
    url: string,
    depth: 0 | 1,
    body: string,
    most_bytes: number,
  ) {
    const headers = { Authorization, Depth: `${depth}`, 'Content-Type': 'application/xml; charset=utf-8' };
    const text = `<?xml version="1.0" encoding="utf-8"?>${body}`;
    const answer = await callCalendar(services, { url, method, headers, body: text }, { most_bytes, signal });
    if (answer.status === 404 || answer.status === 410) throw new CalendarFailure('gone', 'not_found');
    if (answer.status !== 207) throw refusalOf(answer);
    return answer.body;
  }

  return {
    propfind: async (url, depth, properties) => {
      const asked = properties.map((name) => `<${name}/>`).join('');
      const body = `<propfind ${NAMESPACES}><prop>${asked}</prop></propfind>`;
      return understood(await ask('PROPFIND', url, depth, body, MOST_OF_NAMES));
    },
    report: async (url, body) => understood(await ask('REPORT', url, 1, body, MOST_OF_ADDRESSES)),
    rawReport: (url, body) => ask('REPORT', url, 1, body, MOST_BYTES),
  };
}

function understood(content: Buffer): Multistatus {
  try {
    return readMultistatus(content.toString('utf8'));
  } catch {
    throw new CalendarFailure('broken', 'not_understood');
  }
}
