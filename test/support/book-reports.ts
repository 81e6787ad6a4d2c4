import assert from 'node:assert/strict';
import type { TestApp } from './app.ts';
import type { Books } from './books.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

/** A report as JSON. */
export async function reportOf(books: Books, path: string): Promise<Shown> {
  const reply = await books.get(`/accounting/reports/${path}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.report;
}

/** All pages of a book, each behind what was last on the one before. */
export async function walk(
  books: Books,
  path: string,
  limit: number,
  last: (page: Shown) => string,
): Promise<Shown[]> {
  const pages: Shown[] = [];
  for (;;) {
    const cursor = pages.length > 0 ? `&starting_after=${last(pages.at(-1))}` : '';
    const page = await reportOf(books, `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor}`);
    pages.push(page);
    if (!page.has_more) return pages;
  }
}

/** The file of a report, however long its worker takes. */
export async function reportFileOf(
  app: TestApp,
  books: Books,
  path: string,
): Promise<{ bytes: Buffer; headers: Headers }> {
  for (;;) {
    const reply = await fetch(`${app.base_url}/api/v1/accounting/reports/${path}`, {
      headers: { Authorization: `Bearer ${books.actor.secret}` },
    });
    const bytes = Buffer.from(await reply.arrayBuffer());
    assert.ok([200, 202].includes(reply.status), bytes.toString());
    if (reply.status === 200) return { bytes, headers: reply.headers };
  }
}
