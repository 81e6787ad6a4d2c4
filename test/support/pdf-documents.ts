import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { homesOf } from '../../workers/pdf/homes.ts';
import type { TestApp } from './app.ts';
import type { Seller } from './documents.ts';
import { homesIn } from './rendering.ts';
import { startWorkers, type TestWorkers } from './workers.ts';

/** The workers that render the PDF files of an app's documents. */
export function startRenderers(app: TestApp, environment: Record<string, string> = {}): Promise<TestWorkers> {
  const { dataDir } = app.context.settings;
  const own = { DATABASE_URL: app.database_url, DATA_DIR: dataDir, LOG_LEVEL: 'info' };
  return startWorkers({ ...own, ...environment }, ['--queues', 'pdf-render']);
}

/** An answer with its bytes. */
export type FileReply = { status: number; headers: Headers; bytes: Buffer };

/** What the API answers for a file. */
export async function download(
  { base_url }: TestApp,
  { actor }: Pick<Seller, 'actor'>,
  path: string,
  headers: Record<string, string> = {},
): Promise<FileReply> {
  const reply = await fetch(`${base_url}/api/v1${path}`, {
    headers: { Authorization: `Bearer ${actor.secret}`, ...headers },
  });
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) };
}

/** The bytes of a PDF that must be there, or come while the call waits. */
export async function downloadPdf(
  app: TestApp,
  seller: Pick<Seller, 'actor'>,
  path: string,
): Promise<Buffer> {
  const { status, bytes } = await download(app, seller, path);
  assert.equal(status, 200, bytes.toString('utf8', 0, 500));
  return bytes;
}

/** Deliveries of rendering that are under way or wait. */
export async function renderings({ database }: TestApp, { organization_id }: Seller): Promise<number> {
  const rows = await database.withConnection(organization_id, ({ query }) =>
    query(`SELECT 1 FROM outbox WHERE organization_id = $1 AND queue = 'pdf-render'`, [organization_id]),
  );
  return rows.length;
}

/** The browsers that run below a data folder or were left there, by what their folders say. */
export function runningBrowsers(data_dir: string): number[] {
  return homesIn(data_dir).flatMap((name) => {
    try {
      const { browser } = JSON.parse(readFileSync(join(homesOf(data_dir), name, 'owner.json'), 'utf8'));
      return browser ? [browser.pid as number] : [];
    } catch {
      return [];
    }
  });
}
