import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import type { JobResource } from '../../shared/platform/jobs/record.ts';
import type { TestApp } from './app.ts';
import { until } from './until.ts';
import { startWorkers, type TestWorkers } from './workers.ts';

/** Workers that write exports for the app: another process, on the same database and the same store. */
export function startExportWorkers(app: TestApp): Promise<TestWorkers> {
  const { dataDir } = app.context.settings;
  return startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: dataDir }, ['--queues', 'report-export']);
}

type Asking = Awaited<ReturnType<TestApp['actor']>>;

export type Exported = { job: JobResource; response: Response; bytes: Buffer };

/** Asks for an export, waits for its job and downloads the file. */
export async function exported(
  app: TestApp,
  client: Asking,
  path: string,
  body: Record<string, unknown> = {},
): Promise<Exported> {
  const asked = await client.post(`${path}/export`, body);
  assert.equal(asked.status, 202, asked.text);
  const job = await ended(client, asked.body.job.id);
  assert.equal(job.status, 'succeeded', JSON.stringify(job));
  const response = await fetch(`${app.base_url}/api/v1/jobs/${job.id}/file`, {
    headers: { Authorization: `Bearer ${client.actor.secret}` },
  });
  assert.equal(response.status, 200);
  return { job, response, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** The job once it is over. */
export function ended(client: Asking, id: string): Promise<JobResource> {
  return until(
    'the job is over',
    async () => {
      const { job } = (await client.get(`/jobs/${id}`)).body;
      return job.finished_at !== null && job;
    },
    120_000,
  );
}

/** The rows of a file in UTF-8 as csv-parse, which is not ours, reads them: by the names of the columns. */
export function rowsOf(bytes: Buffer): Record<string, string>[] {
  return parse(bytes, { columns: true, bom: true });
}
