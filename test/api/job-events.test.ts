import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import pino from 'pino';
import { apiApp } from '../../api/app.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { failJob, progressJob, startJob, succeedJob } from '../../shared/platform/jobs/operations.ts';
import { reasons } from '../../shared/platform/operators/reasons.ts';
import { startApp } from '../support/app.ts';
import { jobStep, newJob } from '../support/jobs.ts';
import { follow } from '../support/streams.ts';
import { until } from '../support/until.ts';

const app = await startApp({ time_limits: { heartbeat: 200, proof: 300 } });
const owner = await app.actor();
const { organization_id, secret } = owner.actor;

const step = (run: (work: Work) => unknown) => jobStep(app, organization_id, run);
const following = (id: string, headers: Record<string, string> = {}, key = secret) =>
  follow(`${app.base_url}/api/v1/jobs/${id}/events`, { Authorization: `Bearer ${key}`, ...headers });

describe('200', () => {
  test('says why a job failed in the language of who follows it', async () => {
    const { id } = await newJob(app, organization_id);
    const { en, ja } = reasons.unexpected_after(3);
    await step(async (work) => {
      await startJob(work, id);
      await failJob(work, id, { code: 'gave_up', message: en });
    });
    for (const [language, message] of Object.entries({ en, ja })) {
      const stream = await following(id, { 'Accept-Language': language });
      await until('the end is told', () => stream.events.length === 1);
      assert.deepEqual(stream.events[0]!.data.error, { code: 'gave_up', message });
    }
  });

  test('tells the state, the progress and the end of a job, and then ends itself', async () => {
    const { id } = await newJob(app, organization_id);
    const stream = await following(id);
    assert.equal(stream.status, 200);
    assert.match(stream.headers.get('content-type')!, /^text\/event-stream/);
    assert.equal(stream.headers.get('cache-control'), 'no-store');
    await until('the state is told', () => stream.events.length === 1);
    await step((work) => startJob(work, id));
    await until('the start is told', () => stream.events.length === 2);
    for (const done of [250, 500]) {
      await step((work) => progressJob(work, id, { done, total: 1000 }));
      await until('the progress is told', () => stream.events.at(-1)?.data.done === done);
    }
    await step((work) => succeedJob(work, id, { created_count: 1000 }));
    await stream.ended;
    assert.deepEqual(
      stream.events.map(({ event, data }) => [event, data.status ?? data.done]),
      [
        ['state', 'queued'],
        ['state', 'running'],
        ['progress', 250],
        ['progress', 500],
        ['state', 'succeeded'],
      ],
    );
    assert.deepEqual(stream.events[2]?.data, { done: 250, total: 1000, unit: 'rows' });
    assert.deepEqual(stream.events.at(-1)?.data, (await owner.get(`/jobs/${id}`)).body.job);
    assert.match(stream.text(), /^retry: 3000\n/);
  });

  test('a job that has ended is told at once', async () => {
    const { id } = await newJob(app, organization_id);
    await step((work) => failJob(work, id, { code: 'unreadable_file', message: 'It is no CSV' }));
    const stream = await following(id);
    await stream.ended;
    assert.deepEqual(
      stream.events.map(({ event, data }) => [event, data.status, data.error.code]),
      [['state', 'failed', 'unreadable_file']],
    );
  });

  test('who comes again hears what came since, and nothing twice', async () => {
    const { id } = await newJob(app, organization_id);
    await step((work) => startJob(work, id));
    const first = await following(id);
    await until('the state is told', () => first.events.length === 1);
    first.stop();
    const last = { 'Last-Event-ID': first.events[0]!.id };
    const second = await following(id, last);
    await until('it lives', () => second.text().includes(': \n'));
    assert.deepEqual(second.events, []);
    second.stop();
    await step((work) => progressJob(work, id, { done: 7 }));
    const third = await following(id, last);
    await until('the progress is told', () => third.events.length === 1);
    assert.deepEqual([third.events[0]?.event, third.events[0]?.data.done], ['progress', 7]);
    await step((work) => succeedJob(work, id, {}));
    await third.ended;
    assert.equal(third.events.at(-1)?.data.status, 'succeeded');
  });

  test('a progress that is faster than the reader is told by its latest', async () => {
    const { id } = await newJob(app, organization_id);
    const began = performance.now();
    const stream = await following(id);
    await step((work) => startJob(work, id));
    for (let done = 1; done <= 50; done++) await step((work) => progressJob(work, id, { done }));
    await step((work) => succeedJob(work, id, {}));
    await stream.ended;
    const { data } = stream.events.at(-1)!;
    assert.deepEqual([data.status, data.progress.done], ['succeeded', 50]);
    // One look in a quarter of a second, at which a state and a progress may be told.
    const looks = 2 + (performance.now() - began) / 240;
    assert.ok(stream.events.length <= 2 * looks, `${stream.events.length} events`);
  });

  test('many may follow the same job', async () => {
    const { id } = await newJob(app, organization_id);
    const streams = await Promise.all(Array.from({ length: 20 }, () => following(id)));
    await step((work) => succeedJob(work, id, {}));
    await Promise.all(streams.map(({ ended }) => ended));
    for (const { events } of streams) assert.equal(events.at(-1)?.data.status, 'succeeded');
    const [{ connections }] = (await app.database.withConnection('*', ({ query }) =>
      query(`SELECT count(*)::integer AS connections FROM pg_stat_activity
              WHERE datname = current_database() AND application_name = 'business-operations-listen-jobs'`),
    )) as [{ connections: number }];
    assert.equal(connections, 1);
  });

  test('HEAD says what it would be, and opens nothing', async () => {
    const { id } = await newJob(app, organization_id);
    const reply = await owner.send('HEAD', `/jobs/${id}/events`);
    assert.equal(reply.status, 200);
    assert.match(reply.headers.get('content-type')!, /^text\/event-stream/);
  });
});

describe('204', () => {
  test('for who has heard the end already, so that a browser does not come again', async () => {
    const { id } = await newJob(app, organization_id);
    await step((work) => succeedJob(work, id, {}));
    const stream = await following(id);
    await stream.ended;
    const again = await following(id, { 'Last-Event-ID': stream.events[0]!.id });
    await again.ended;
    assert.deepEqual([again.status, again.text()], [204, '']);
  });
});

describe('404', () => {
  test('for who may not see the job', async () => {
    const { id } = await newJob(app, organization_id);
    const member = await app.actor({ organization_id, role: 'member', scopes: ['crm:read'] });
    assert.equal((await following(id, {}, member.actor.secret)).status, 404);
  });
});

describe('429', () => {
  const here = startApp({
    database: { url: app.database_url, database: app.database, drop: async () => {} },
    stream_limits: { credential: 3, process: 5 },
    time_limits: { heartbeat: 200, proof: 300 },
  });

  test('beyond the streams of a credential and of a process, until one of them ends in whatever way', async () => {
    const { base_url, context } = await here;
    const { id } = await newJob(app, organization_id);
    const other = await app.actor({ organization_id });
    const open = (key: string) =>
      follow(`${base_url}/api/v1/jobs/${id}/events`, { Authorization: `Bearer ${key}` });
    const streams = await Promise.all([open(secret), open(secret), open(secret)]);
    const refused = await open(secret);
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('retry-after'), '30');
    await refused.ended;
    assert.match(refused.text(), /"rate_limited".*3 streams open/s);
    const others = [await open(other.actor.secret), await open(other.actor.secret)];
    const full = await open(other.actor.secret);
    assert.equal(full.status, 429);
    await full.ended;
    // The reader goes.
    streams[0]!.stop();
    await until('its place is free', () => context.stream_places.taken() === 4);
    streams.push(await open(secret));
    assert.deepEqual(
      [...streams, ...others].map(({ status }) => status),
      [200, 200, 200, 200, 200, 200],
    );
    // The key is revoked.
    await app.database.withConnection(organization_id, ({ query }) =>
      query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [other.actor.api_key_id]),
    );
    await Promise.all(others.map(({ ended }) => ended));
    await until('their places are free', () => context.stream_places.taken() === 3);
    // The job ends.
    await step((work) => succeedJob(work, id, {}));
    await Promise.all(streams.map(({ ended }) => ended));
    await until('every place is free', () => context.stream_places.taken() === 0);
    assert.equal(context.notices.watched(), 0);
  });

  test('what is answered without a stream holds no place: HEAD, 204, 404, who goes during the first look', async () => {
    const { base_url, context } = await here;
    const { id } = await newJob(app, organization_id);
    const headers = { Authorization: `Bearer ${secret}` };
    const url = (job: string) => `${base_url}/api/v1/jobs/${job}/events`;
    const missing = id.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    for (let round = 0; round < 5; round++) {
      assert.equal((await fetch(url(id), { headers, method: 'HEAD' })).status, 200);
      assert.equal((await follow(url(missing), headers)).status, 404);
      await fetch(url(id), { headers, signal: AbortSignal.timeout(round) }).catch(() => undefined);
      await until('no place is held', () => context.stream_places.taken() === 0);
    }
  });
});

describe('the stream ends', () => {
  test('when the key is revoked, which is noticed without an event', async () => {
    const { id } = await newJob(app, organization_id);
    const other = await app.actor({ organization_id });
    const stream = await following(id, {}, other.actor.secret);
    await until('the state is told', () => stream.events.length === 1);
    await app.database.withConnection(organization_id, ({ query }) =>
      query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [other.actor.api_key_id]),
    );
    await stream.ended;
    assert.deepEqual(
      stream.events.map(({ data }) => data.status),
      ['queued'],
    );
    assert.equal((await following(id, {}, other.actor.secret)).status, 401);
  });

  test('when its reader goes, and leaves nothing that waits', async () => {
    const { id } = await newJob(app, organization_id);
    const stream = await following(id);
    await until('the state is told', () => stream.events.length === 1);
    stream.stop();
    await stream.ended;
    await until('nobody listens', () => app.context.notices.watched() === 0);
  });
});

test('readers who go at any moment leave nothing that waits', async () => {
  const { id } = await newJob(app, organization_id);
  const url = `${app.base_url}/api/v1/jobs/${id}/events`;
  const leaving = Array.from({ length: 60 }, async (_, after_ms) => {
    const headers = { Authorization: `Bearer ${secret}` };
    await fetch(url, { headers, signal: AbortSignal.timeout(after_ms) })
      .then((response) => response.text())
      .catch(() => undefined);
  });
  await Promise.all(leaving);
  await until('nobody listens', () => app.context.notices.watched() === 0);
});

test('a stream goes on when the connection that listens was lost', async () => {
  const { id } = await newJob(app, organization_id);
  const stream = await following(id);
  await until('the state is told', () => stream.events.length === 1);
  const administrator = new pg.Client({ connectionString: app.database_url });
  await administrator.connect();
  await until('the one that listens is ended', async () => {
    const { rowCount } = await administrator.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'business-operations-listen-jobs'`,
    );
    return rowCount === 1;
  });
  await administrator.end();
  await step((work) => succeedJob(work, id, {}));
  await stream.ended;
  assert.equal(stream.events.at(-1)?.data.status, 'succeeded');
});

test('a reader who goes away is no news, another fault of a connection is, with its request', () => {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
  const service = apiApp({ ...app.context, log });
  const request = { state: { request_id: 'req_x' } };
  for (const code of ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE', 'EIO'])
    service.emit('error', Object.assign(new Error('broken'), { code }), request);
  const told = lines.map((line) => JSON.parse(line));
  assert.deepEqual(
    told.map(({ level, request_id, err }) => [level, request_id, err.code]),
    [[40, 'req_x', 'EIO']],
  );
});
