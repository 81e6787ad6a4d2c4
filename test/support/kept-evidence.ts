import assert from 'node:assert/strict';
import type { TestApp } from './app.ts';
import type { Books } from './books.ts';
import { pdfBytes, RECEIPT, sendEvidence } from './evidence.ts';
import { ended } from './exports.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

/** Keeps a file as evidence and answers its document. */
export async function documentIn(
  app: TestApp,
  books: Books,
  fields: object = {},
  bytes = pdfBytes(Math.random()),
): Promise<Shown> {
  const reply = await sendEvidence(app, books, { bytes }, { ...RECEIPT, ...fields });
  assert.equal(reply.status, 201, reply.text);
  return reply.body.document;
}

/** Asks for a job, waits for its end and answers its result. */
export async function resultOf(books: Books, path: string, body: object = {}): Promise<Shown> {
  const reply = await books.post(path, body);
  assert.equal(reply.status, 202, reply.text);
  const job = await ended(books, reply.body.job.id);
  assert.equal(job.status, 'succeeded', JSON.stringify(job));
  return { ...(job.result as object), job_id: job.id };
}
