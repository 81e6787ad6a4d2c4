import assert from 'node:assert/strict';
import pg from 'pg';
import type { BatchEntry, BatchResult } from '../../shared/platform/batches/record.ts';
import type { JobResource } from '../../shared/platform/jobs/record.ts';
import type { TestApp } from './app.ts';
import { startWorkers, type TestWorkers } from './workers.ts';

/** Workers of the queue that batches stand in. */
export function startBatchWorkers(app: TestApp): Promise<TestWorkers> {
  const { dataDir } = app.context.settings;
  return startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: dataDir }, ['--queues', 'csv-import']);
}

/** The outcome of every record of a batch that has ended. */
export function entriesOf({ result }: Pick<JobResource, 'result'>): BatchEntry[] {
  return (result as BatchResult | null)?.entries ?? [];
}

/** Keeps a document from being changed until `release` is called. */
export async function holdDocument(app: TestApp, id: string): Promise<() => Promise<void>> {
  const blocker = new pg.Client({ connectionString: app.database_url });
  blocker.on('error', () => undefined);
  await blocker.connect();
  await blocker.query('BEGIN');
  const { rowCount } = await blocker.query('SELECT FROM invoicing_documents WHERE id = $1 FOR UPDATE', [id]);
  assert.equal(rowCount, 1);
  return async () => {
    await blocker.query('COMMIT');
    await blocker.end();
  };
}
