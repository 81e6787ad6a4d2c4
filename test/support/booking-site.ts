import assert from 'node:assert/strict';
import type { TestApp } from './app.ts';
import { type PageReply, visitor } from './forms.ts';
import { type Desk, newDesk } from './scheduler.ts';

/** A Thursday morning in Tokyo: what tests of pages for guests call now. */
export const NOW = new Date('2026-11-26T00:00:00.000Z');

/** Friday the 27th at 10:00 in Tokyo, and half an hour later. */
export const FRIDAY = '2026-11-27T01:00:00.000Z';
export const FRIDAY_LATER = '2026-11-27T01:30:00.000Z';

/** An organization with an event type, as its guests come to it. */
export type BookingSite = Desk & {
  /** The path of the organization's page, and of an event type's. */
  pages: string;
  page(slug: string): string;
  /** What the form of a page sends when it is filled in. */
  filled(path: string, more?: Record<string, string>): Promise<Record<string, string>>;
  /** Books by the form, and answers the path of the booking's page. */
  booked(path: string, more?: Record<string, string>): Promise<string>;
};

/** The key that a form was shown with. */
export function formKeyOf(html: string): string {
  return /name="form_key" value="([0-9a-f]{32})"/.exec(html)?.[1] ?? '';
}

/** An organization whose members can be booked in office hours, Monday to Friday in Tokyo. */
export async function newBookingSite(app: TestApp, settings: object = {}): Promise<BookingSite> {
  return siteOf(app, await newDesk(app), settings);
}

/** The same of an organization that is there already. */
export async function siteOf(app: TestApp, desk: Desk, settings: object = {}): Promise<BookingSite> {
  if (Object.keys(settings).length > 0) await desk.done('PATCH', '/settings', settings);
  const { slug } = (await desk.get('/organization')).body.organization;
  const pages = `/p/${slug}`;
  const guest = visitor(app);
  const site: BookingSite = {
    ...desk,
    pages,
    page: (type) => `${pages}/${type}`,
    async filled(path, more = {}) {
      const start = more['start'] ?? FRIDAY;
      const { html } = await guest.get(`${path}?start=${start}`);
      const form_key = formKeyOf(html);
      assert.match(form_key, /./, `no form at ${path}`);
      return {
        form_key,
        start,
        name: '佐藤 花子',
        email: 'hanako@example.jp',
        time_zone: 'Asia/Tokyo',
        ...more,
      };
    },
    async booked(path, more = {}) {
      const reply = await guest.send(path, await site.filled(path, more));
      assert.equal(reply.status, 303, reply.html);
      return reply.headers.get('location')!;
    },
  };
  return site;
}

/** The text of a page as people read it. */
export function textOf({ html }: PageReply): string {
  const main = html.slice(html.indexOf('<main'));
  return main
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ');
}

/** Where the links of a page lead. */
export function linksOf({ html }: PageReply): string[] {
  return [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) =>
    href!.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
  );
}
