import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { beforeEach, describe, test } from 'node:test';
import { z } from 'zod';
import { generated, type ServedFile } from '../../../../api/http/files/declarations.ts';
import { list } from '../../../../api/http/list.ts';
import { notFound } from '../../../../shared/kernel/failure.ts';
import { job } from '../../../../shared/kernel/job.ts';
import type { Work } from '../../../../shared/kernel/work.ts';
import { releaseOldJobFiles } from '../../../../shared/platform/jobs/files.ts';
import { cancelJob, failJob } from '../../../../shared/platform/jobs/operations.ts';
import { storeFile } from '../../../../shared/platform/storage/loose-files.ts';
import { startApp } from '../../../support/app.ts';
import { finishWithFile, jobStep } from '../../../support/jobs.ts';
import { until } from '../../../support/until.ts';

const makeReport = job({
  name: 'crm.make_report',
  queue: 'report-export',
  payload: z.strictObject({ name: z.string(), job_id: z.string() }),
  attempts: 1,
  time_limit: 1000,
});
const making = { kind: 'crm.reports.pdf', unit: null, media_types: ['text/csv'] } as const;
const madeOf = (key: string, name: string) => ({
  key,
  enqueue: (work: Work, job_id: string) => {
    work.enqueue(makeReport, { name, job_id }, { job_id });
  },
});

/** What a record has. */
let kept: ServedFile | undefined;

const app = await startApp({
  endpoints: [
    generated({
      id: 'crm.reports.csv',
      path: '/api/v1/crm/reports/:name',
      scope: 'crm:read',
      summary: 'Download a report',
      params: z.object({ name: z.string() }),
      generates: making,
      handle: async ({ params }) => {
        if (params.name === 'absent') throw notFound();
        if (params.name === 'kept') return { file: kept! };
        return madeOf(`report:${params.name}`, params.name);
      },
    }),
    list({
      id: 'crm.lines.list',
      path: '/api/v1/crm/lines',
      scope: 'crm:read',
      summary: 'List lines',
      item: z.strictObject({ line: z.int() }),
      filters: z.object({ format: z.enum(['json', 'csv']).optional() }),
      generates: making,
      handle: async ({ filters }) =>
        filters.format === 'csv'
          ? madeOf('lines', 'lines')
          : { rows: [{ line: 1 }], total: 1, has_more: false },
    }),
  ],
});

type Asked = { organization_id: string; job_id: string; name: string };
let client = await app.actor();
beforeEach(async () => {
  client = await app.actor();
});

/** What the organization's workers are asked for, oldest first. */
async function asked(): Promise<Asked[]> {
  const { organization_id } = client.actor;
  const rows = await app.database.withConnection(organization_id, ({ query }) =>
    query<{ payload: { name: string; job_id: string } }>(
      'SELECT payload FROM outbox WHERE organization_id = $1 AND name = $2 ORDER BY id',
      [organization_id, makeReport.name],
    ),
  );
  return rows.map(({ payload }) => ({ organization_id, ...payload }));
}

const firstAsked = () => until('a worker is asked', async () => (await asked())[0]);
const finish = (which: Asked) => finishWithFile(app, which, `made for ${which.name}`, '報告.csv');

describe('200', () => {
  test('waits for the worker and answers its file', async () => {
    const asking = client.get('/crm/reports/april');
    await finish(await firstAsked());
    const reply = await asking;
    assert.deepEqual([reply.status, reply.text], [200, 'made for april']);
    assert.match(reply.headers.get('content-type')!, /^text\/csv/);
    assert.match(reply.headers.get('content-disposition')!, /filename\*=UTF-8''%E5%A0%B1%E5%91%8A\.csv/);
  });

  test('the file that is there already, without another job, in parts and with 304', async () => {
    const asking = client.get('/crm/reports/may');
    await finish(await firstAsked());
    const etag = (await asking).headers.get('etag')!;
    const again = await client.get('/crm/reports/may', { Prefer: 'respond-async' });
    assert.deepEqual([again.status, again.text, again.headers.get('etag')], [200, 'made for may', etag]);
    const part = await client.get('/crm/reports/may', { Range: 'bytes=0-3' });
    assert.deepEqual([part.status, part.text], [206, 'made']);
    assert.equal((await client.get('/crm/reports/may', { 'If-None-Match': etag })).status, 304);
    assert.equal((await asked()).length, 1);
  });

  test('all who ask at the same time get the file of one job, and hold no connection while they wait', async () => {
    const asking = Array.from({ length: 40 }, () => client.get('/crm/reports/june'));
    const first = await firstAsked();
    await until('nobody holds a connection', () => {
      const { open, idle, waiting } = app.database.use();
      return app.context.notices.watched() === 1 && open === idle && waiting === 0;
    });
    await finish(first);
    for (const reply of await Promise.all(asking)) {
      assert.deepEqual([reply.status, reply.text], [200, 'made for june']);
    }
    assert.equal((await asked()).length, 1);
  });

  test('a list is answered as JSON unless it is asked as a file', async () => {
    assert.deepEqual((await client.get('/crm/lines?format=json')).body.items, [{ line: 1 }]);
    const asking = client.get('/crm/lines?format=csv');
    await finish(await firstAsked());
    assert.equal((await asking).text, 'made for lines');
  });

  test('a file that a record has already, without a job', async () => {
    const { organization_id } = client.actor;
    const where = { organization_id, area: 'reports', limit: 100, now: new Date() };
    const stored = await storeFile(app.context, { ...where, body: Readable.from(['kept for long']) });
    kept = { ...stored, file_name: 'kept.csv', media_type: 'text/csv', created_at: new Date().toISOString() };
    const reply = await client.get('/crm/reports/kept', { Prefer: 'respond-async' });
    assert.deepEqual([reply.status, reply.text], [200, 'kept for long']);
    assert.deepEqual(await asked(), []);
  });

  test('a file that was removed after its time is made again', async () => {
    const first = client.get('/crm/reports/old');
    await finish(await firstAsked());
    await first;
    const week = new Date(Date.now() + 8 * 24 * 60 * 60_000);
    await releaseOldJobFiles(app.database, week, new AbortController().signal);
    const second = client.get('/crm/reports/old');
    const again = await until('a worker is asked again', async () => (await asked())[1]);
    await finish(again);
    assert.equal((await second).status, 200);
  });
});

describe('202', () => {
  test('with the job when the caller prefers not to wait, and the file at the next try', async () => {
    const reply = await client.get('/crm/reports/july', { Prefer: 'handling=lenient, respond-async' });
    assert.equal(reply.status, 202, reply.text);
    const { job } = reply.body;
    assert.deepEqual([job.kind, job.status], ['crm.reports.pdf', 'queued']);
    assert.equal(reply.headers.get('location'), `/api/v1/jobs/${job.id}`);
    assert.equal(reply.headers.get('preference-applied'), 'respond-async');
    const again = await client.get('/crm/reports/july', { Prefer: 'respond-async' });
    assert.equal(again.body.job.id, job.id);
    await finish(await firstAsked());
    assert.equal((await client.get('/crm/reports/july')).text, 'made for july');
  });

  test('a job that waits in the outbox goes first once somebody else waits for it too', async () => {
    const priorities = () =>
      app.database.withConnection(client.actor.organization_id, ({ query }) =>
        query('SELECT priority FROM outbox WHERE organization_id = $1', [client.actor.organization_id]),
      );
    await client.get('/crm/reports/august', { Prefer: 'respond-async' });
    assert.deepEqual(await priorities(), [{ priority: 2 }]);
    await client.get('/crm/reports/august', { Prefer: 'respond-async' });
    assert.deepEqual(await priorities(), [{ priority: 1 }]);
  });

  test('when it takes longer than the wait', async () => {
    const quick = await startApp({
      time_limits: { generating: 1 },
      database: { ...app, url: app.database_url, drop: async () => undefined },
      endpoints: [generatedOf('crm.slow.csv', '/api/v1/crm/slow')],
    });
    const other = await quick.actor();
    const reply = await other.get('/crm/slow');
    assert.deepEqual([reply.status, reply.body.job.status], [202, 'queued']);
  });
});

describe('503', () => {
  test('at once when the job fails or is cancelled, and the next one who asks gets a new job', async () => {
    const ends = {
      failed: (work: Work, id: string) => failJob(work, id, { code: 'x', message: 'the template is broken' }),
      cancelled: async (work: Work, id: string) => {
        await cancelJob(work, id);
      },
    };
    for (const [status, end] of Object.entries(ends)) {
      const before = (await asked()).length;
      const asking = client.get('/crm/reports/bad');
      const { organization_id, job_id } = await until(
        'a worker is asked',
        async () => (await asked())[before],
      );
      await jobStep(app, organization_id, (work) => end(work, job_id));
      const reply = await asking;
      assert.deepEqual([reply.status, reply.body.code, reply.body.job_id], [503, 'unavailable', job_id]);
      assert.match(reply.body.detail, status === 'failed' ? /template is broken/ : /cancelled/);
    }
    const third = client.get('/crm/reports/bad');
    await finish(await until('a third job', async () => (await asked())[2]));
    assert.equal((await third).status, 200);
  });
});

test('what a read refuses is refused before a worker is asked', async () => {
  assert.equal((await client.get('/crm/reports/absent')).status, 404);
  assert.deepEqual(await asked(), []);
});

test('organizations with the same content have each their own', async () => {
  const other = await app.actor();
  const mine = client.get('/crm/reports/same');
  const first = await firstAsked();
  const theirs = await other.get('/crm/reports/same', { Prefer: 'respond-async' });
  assert.notEqual(theirs.body.job.id, first.job_id);
  await finish(first);
  assert.equal((await mine).status, 200);
});

function generatedOf(id: string, path: string) {
  return generated({
    id,
    path,
    scope: 'crm:read',
    summary: 'Download',
    generates: making,
    handle: async () => madeOf('slow', 'slow'),
  });
}
