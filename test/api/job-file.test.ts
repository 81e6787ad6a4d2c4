import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { failJob, startJob } from '../../shared/platform/jobs/operations.ts';
import { recentTroubles } from '../../shared/platform/operators/trouble.ts';
import { refusalsOfStore } from '../../shared/platform/storage/refusals.ts';
import { startApp } from '../support/app.ts';
import { finishWithFile, jobStep, newJob } from '../support/jobs.ts';

const app = await startApp();
const owner = await app.actor();
const { organization_id } = owner.actor;
const bytes = randomBytes(100_000);
const job = await newJob(app, organization_id);
await finishWithFile(app, { organization_id, job_id: job.id }, bytes, '顧客一覧.csv');

type Asked = Record<string, string>;
type Got = { status: number; headers: Headers; body: Buffer };

/** Asks for the file, byte for byte. */
async function get(
  headers: Record<string, string> = {},
  method = 'GET',
  secret = owner.actor.secret,
): Promise<Got> {
  const response = await fetch(`${app.base_url}/api/v1/jobs/${job.id}/file`, {
    method,
    headers: { Authorization: `Bearer ${secret}`, ...headers },
  });
  return {
    status: response.status,
    headers: response.headers,
    body: Buffer.from(await response.arrayBuffer()),
  };
}

describe('200', () => {
  test('the file, under its name, with what a cache and a download need', async () => {
    const { status, headers, body } = await get();
    assert.equal(status, 200);
    assert.ok(body.equals(bytes));
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.equal(headers.get('content-length'), '100000');
    assert.equal(headers.get('accept-ranges'), 'bytes');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(
      headers.get('content-disposition'),
      `attachment; filename="file.csv"; filename*=UTF-8''${encodeURIComponent('顧客一覧')}.csv`,
    );
    assert.match(headers.get('etag')!, /^"[\w-]{22}"$/);
    assert.ok(Date.parse(headers.get('last-modified')!) <= Date.now());
  });

  test('HEAD says the same without the bytes, whatever range it names', async () => {
    const whole = await get();
    for (const headers of [{}, { Range: 'bytes=0-9' }] as Asked[]) {
      const head = await get(headers, 'HEAD');
      assert.deepEqual([head.status, head.body.length], [200, 0]);
      for (const name of ['etag', 'last-modified', 'content-length', 'content-type', 'content-disposition'])
        assert.equal(head.headers.get(name), whole.headers.get(name), name);
    }
  });

  test('the whole file for several ranges, and for a range of another version', async () => {
    for (const headers of [
      { Range: 'bytes=0-1,5-6' },
      { Range: 'bytes=0-1', 'If-Range': '"other"' },
    ] as Asked[]) {
      const { status, body } = await get(headers);
      assert.equal(status, 200);
      assert.ok(body.equals(bytes));
    }
  });
});

describe('206', () => {
  test('the first, middle and last bytes', async () => {
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 0],
      ['bytes=100-299', 100, 299],
      ['bytes=99990-', 99_990, 99_999],
      ['bytes=-10', 99_990, 99_999],
    ] as const) {
      const { status, headers, body } = await get({ Range: range });
      assert.equal(status, 206);
      assert.equal(headers.get('content-range'), `bytes ${start}-${end}/100000`);
      assert.equal(headers.get('content-length'), String(end - start + 1));
      assert.ok(body.equals(bytes.subarray(start, end + 1)));
    }
  });

  test('a download that broke off goes on where it was', async () => {
    const first = await get({ Range: 'bytes=0-49999' });
    const rest = await get({ Range: 'bytes=50000-', 'If-Range': first.headers.get('etag')! });
    assert.equal(rest.status, 206);
    assert.ok(Buffer.concat([first.body, rest.body]).equals(bytes));
    const dated = await get({ Range: 'bytes=50000-', 'If-Range': first.headers.get('last-modified')! });
    assert.equal(dated.status, 200, 'a time is no proof that it is the same file');
  });
});

describe('304', () => {
  test('for who has the file already', async () => {
    const { headers } = await get();
    const etag = headers.get('etag')!;
    const last_modified = headers.get('last-modified')!;
    for (const condition of [
      { 'If-None-Match': etag },
      { 'If-None-Match': `"x", W/${etag}` },
      { 'If-None-Match': etag, Range: 'bytes=0-1' },
      { 'If-Modified-Since': last_modified },
    ] as Asked[]) {
      const { status, body, headers } = await get(condition);
      assert.deepEqual([status, body.length, headers.get('etag')], [304, 0, etag]);
    }
    const other = await get({ 'If-None-Match': '"x"', 'If-Modified-Since': last_modified });
    assert.equal(other.status, 200);
  });
});

describe('404', () => {
  test('for a job that ended without a file, and for who may not see the job', async () => {
    const failed = await newJob(app, organization_id);
    await jobStep(app, organization_id, (work) => failJob(work, failed.id, { code: 'x', message: 'y' }));
    assert.equal((await owner.get(`/jobs/${failed.id}/file`)).status, 404);
    const member = await app.actor({ organization_id, role: 'member', scopes: ['crm:read'] });
    const stranger = await app.actor();
    for (const { actor } of [member, stranger])
      assert.equal((await get({}, 'GET', actor.secret)).status, 404);
  });
});

describe('409', () => {
  test('while the job goes on', async () => {
    const open = await newJob(app, organization_id);
    const queued = await owner.get(`/jobs/${open.id}/file`);
    assert.deepEqual([queued.status, queued.body.code], [409, 'job_not_finished']);
    await jobStep(app, organization_id, (work) => startJob(work, open.id));
    assert.equal((await owner.get(`/jobs/${open.id}/file`)).body.current_status, 'running');
  });
});

describe('416', () => {
  test('for bytes that the file does not have', async () => {
    const reply = await owner.get(`/jobs/${job.id}/file`, { Range: 'bytes=100000-' });
    assert.deepEqual([reply.status, reply.body.code], [416, 'range_not_satisfiable']);
    assert.equal(reply.headers.get('content-range'), 'bytes */100000');
    assert.match(reply.headers.get('content-type')!, /^application\/problem\+json/);
    assert.equal(reply.headers.get('content-disposition'), null);
  });
});

describe('503', () => {
  test('when the store has lost the file, whose key operators alone are told', async () => {
    const lost = await newJob(app, organization_id);
    await finishWithFile(app, { organization_id, job_id: lost.id }, 'a,b\n');
    const [row] = await app.database.withConnection('*', ({ query }) =>
      query<{ storage_key: string }>('SELECT storage_key FROM job_files WHERE job_id = $1', [lost.id]),
    );
    await app.context.storage.remove(row!.storage_key);
    const reply = await owner.get(`/jobs/${lost.id}/file`);
    assert.deepEqual(
      [reply.status, reply.body.code, reply.headers.get('retry-after')],
      [503, 'unavailable', '3600'],
    );
    assert.match(reply.body.detail, /^The content of the file is missing from the store; /);
    assert.doesNotMatch(reply.text, /file_01|ENOENT/);
    const told = recentTroubles(new Date()).map(({ sentence }) => sentence);
    assert.deepEqual(told, [refusalsOfStore.lacks(row!.storage_key).en]);
  });
});
