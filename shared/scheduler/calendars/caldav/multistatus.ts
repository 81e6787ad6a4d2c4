import { childOf, type Element, readXml } from './xml.ts';

/** The namespaces of WebDAV, CalDAV, and of what Apple added. */
export const DAV = 'DAV:';
export const CALDAV = 'urn:ietf:params:xml:ns:caldav';
export const CALENDAR_SERVER = 'http://calendarserver.org/ns/';

/** What is said of one resource. `status` is null where only its properties have one. */
export type DavResponse = {
  href: string;
  status: number | null;
  /** Those that it has, by `<namespace> <name>`. */
  properties: ReadonlyMap<string, Element>;
  /** Those that it does not show, with the status that says why. */
  missing: ReadonlyMap<string, number>;
};

export type Multistatus = { responses: readonly DavResponse[]; sync_token: string | null };

/** Reads the answer to a question about several resources (RFC 4918, 13). Throws for what is not one. */
export function readMultistatus(text: string): Multistatus {
  const root = readXml(text);
  if (root.name !== `${DAV} multistatus`) throw new Error('The answer is not a multistatus');
  const responses = root.children.filter(({ name }) => name === `${DAV} response`).map(responseOf);
  return { responses, sync_token: childOf(root, `${DAV} sync-token`)?.text.trim() ?? null };
}

function responseOf(response: Element): DavResponse {
  const properties = new Map<string, Element>();
  const missing = new Map<string, number>();
  for (const propstat of response.children.filter(({ name }) => name === `${DAV} propstat`)) {
    const status = statusOf(propstat);
    for (const property of childOf(propstat, `${DAV} prop`)?.children ?? []) {
      if (isSuccess(status)) properties.set(property.name, property);
      else missing.set(property.name, status ?? Number.NaN);
    }
  }
  return { href: hrefOf(response) ?? '', status: statusOf(response), properties, missing };
}

/** The address in an element, as it was written. */
export function hrefOf(element: Element | undefined): string | null {
  return childOf(element, `${DAV} href`)?.text.trim() ?? null;
}

/** The number of a status line such as `HTTP/1.1 200 OK`. */
function statusOf(element: Element): number | null {
  const line = childOf(element, `${DAV} status`)?.text;
  return line === undefined ? null : Number(/^\s*HTTP\/[\d.]+ (\d{3})/.exec(line)?.[1] ?? Number.NaN);
}

function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}
