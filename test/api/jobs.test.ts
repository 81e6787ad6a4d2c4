import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { transaction } from '../../shared/db/transaction.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import type { Grant } from '../../shared/kernel/scope.ts';
import { Work } from '../../shared/kernel/work.ts';
import {
  createJob,
  failJob,
  progressJob,
  startJob,
  succeedJob,
} from '../../shared/platform/jobs/operations.ts';
import type { JobResource } from '../../shared/platform/jobs/record.ts';
import type { TestActor } from '../support/actors.ts';
import { startApp } from '../support/app.ts';
import { clientOf } from '../support/client.ts';
import { newOwner } from '../support/people.ts';

const app = await startApp();
const owner = await app.actor();
const { organization_id } = owner.actor;
const reader = await app.actor({ organization_id, role: 'member', scopes: ['crm:read'] });
const writer = await app.actor({ organization_id, role: 'member', scopes: ['crm:write'] });
const stranger = await app.actor();

/** Runs a step of a job as the worker does, or, with an actor, as the request that asks for it does. */
async function step<T>(run: (work: Work) => T | Promise<T>, actor?: TestActor): Promise<T> {
  return app.database.withConnection(organization_id, (connection) =>
    transaction(connection, async (commit) => {
      const asking = actor
        ? { ...systemActor, type: 'api_key' as const, id: actor.api_key_id, user_id: actor.user_id }
        : systemActor;
      const who = { organization_id, actor: asking, request_id: null, ip_address: null };
      const work = new Work({ connection, now: new Date(), ...who });
      work.nothingChanged();
      const result = await run(work);
      await commit(work.finish());
      return result;
    }),
  );
}

function newJob(actor: TestActor, scope: Grant = 'crm:write'): Promise<JobResource> {
  return step((work) => createJob(work, { kind: 'crm.contacts.import', scope, unit: 'rows' }), actor);
}

describe('200', () => {
  test('a job shows its way from queued to succeeded', async () => {
    const { id } = await newJob(writer.actor);
    const first = await writer.get(`/jobs/${id}`);
    assert.deepEqual(first.body.job, {
      id,
      object: 'job',
      kind: 'crm.contacts.import',
      status: 'queued',
      progress: { done: 0, total: null, unit: 'rows' },
      result: null,
      error: null,
      created_by: writer.actor.user_id,
      created_at: first.body.job.created_at,
      started_at: null,
      finished_at: null,
    });
    assert.equal(await step((work) => startJob(work, id)), true);
    assert.equal(await step((work) => progressJob(work, id, { done: 500, total: 1200 })), true);
    const running = (await writer.get(`/jobs/${id}`)).body.job;
    assert.equal(running.status, 'running');
    assert.deepEqual(running.progress, { done: 500, total: 1200, unit: 'rows' });
    await step((work) => succeedJob(work, id, { created_count: 1200 }));
    const done = (await writer.get(`/jobs/${id}`)).body.job;
    assert.deepEqual([done.status, done.result], ['succeeded', { created_count: 1200 }]);
    assert.ok(done.started_at <= done.finished_at);
  });

  test('a job that was done before it was said to run tells when it began all the same', async () => {
    const times = async (run: (work: Work, id: string) => Promise<unknown>) => {
      const { id } = await newJob(writer.actor);
      await step((work) => run(work, id));
      const { job } = (await writer.get(`/jobs/${id}`)).body;
      return [job.started_at, job.finished_at];
    };
    const began = new Date(Date.now() - 100);
    const [started_at, finished_at] = await times((work, id) => succeedJob(work, id, {}, began));
    assert.equal(started_at, began.toISOString());
    assert.ok(started_at < finished_at);
    const error = { code: 'gave_up', message: 'Given up after one try' };
    assert.equal((await times((work, id) => failJob(work, id, error, began)))[0], started_at);
    assert.equal(new Set(await times((work, id) => succeedJob(work, id, {}))).size, 1);
  });

  test('a job that fails says why', async () => {
    const { id } = await newJob(writer.actor);
    const error = { code: 'unreadable_file', message: 'The file is not CSV' };
    await step((work) => failJob(work, id, error));
    const { job } = (await writer.get(`/jobs/${id}`)).body;
    assert.deepEqual([job.status, job.error], ['failed', error]);
  });

  test('the list is filtered by kind and status', async () => {
    const { id } = await newJob(writer.actor);
    const queued = await writer.get('/jobs?status=queued&kind=crm.contacts.import');
    assert.ok(queued.body.items.some((job: JobResource) => job.id === id));
    assert.equal((await writer.get('/jobs?kind=other')).body.total, 0);
  });

  test('a cancelled job stays so, and its worker is told at the next step', async () => {
    const { id } = await newJob(writer.actor);
    await step((work) => startJob(work, id));
    const { job } = (await writer.post(`/jobs/${id}/cancel`)).body;
    assert.equal(job.status, 'cancelled');
    assert.equal(await step((work) => progressJob(work, id, { done: 1 })), false);
    await step((work) => succeedJob(work, id, {}));
    assert.equal(await step((work) => startJob(work, id)), false);
    assert.equal((await writer.get(`/jobs/${id}`)).body.job.status, 'cancelled');
  });

  test('asking for a job and cancelling it stand in the audit log, progress does not', async () => {
    const { id } = await newJob(owner.actor);
    await step((work) => startJob(work, id));
    await step((work) => progressJob(work, id, { done: 1 }));
    await owner.post(`/jobs/${id}/cancel`);
    const { items } = (await owner.get(`/audit-logs?entity_id=${id}`)).body;
    const actions = items.map(({ action, changes }: { action: string; changes: object }) => [
      action,
      changes,
    ]);
    assert.deepEqual(
      actions.map(([action]: [string]) => action),
      ['update', 'create'],
    );
    assert.deepEqual(actions[0][1].status, ['running', 'cancelled']);
  });
});

describe('404', () => {
  test('a job is shown to the key that asked and to holders of its scope, to nobody else', async () => {
    const { id } = await newJob(reader.actor);
    for (const client of [reader, writer, owner]) assert.equal((await client.get(`/jobs/${id}`)).status, 200);
    const other = await newJob(writer.actor);
    for (const path of [`/jobs/${other.id}`]) assert.equal((await reader.get(path)).status, 404);
    assert.equal((await reader.post(`/jobs/${other.id}/cancel`)).status, 404);
    assert.equal((await stranger.get(`/jobs/${id}`)).status, 404);
    const listed = (await reader.get('/jobs')).body.items.map((job: JobResource) => job.id);
    assert.deepEqual(listed, [id]);
  });

  test('a job for owners and admins is hidden from members whatever their scopes', async () => {
    const { id } = await newJob(owner.actor, '*');
    assert.equal((await owner.get(`/jobs/${id}`)).status, 200);
    assert.equal((await writer.get(`/jobs/${id}`)).status, 404);
  });
});

describe('409', () => {
  test('a job that has ended cannot be cancelled', async () => {
    const { id } = await newJob(writer.actor);
    await step((work) => succeedJob(work, id, {}));
    const { status, body } = await writer.post(`/jobs/${id}/cancel`);
    assert.deepEqual([status, body.code, body.current_status], [409, 'job_finished', 'succeeded']);
  });
});

describe('cancelling', () => {
  test('200: for the key that asked, the person behind it, and holders of the write scope of its domain', async () => {
    const person = await newOwner(app);
    const key = (await person.post('/api-keys', { name: 'reads', scopes: ['crm:read'] })).body;
    const byKey = clientOf(app.base_url, { Authorization: `Bearer ${key.secret}` });
    const there = { organization_id: person.organization_id };
    const write = await app.actor({ ...there, role: 'manager', scopes: ['crm:read', 'crm:write'] });
    for (const client of [byKey, person, write]) {
      const asked = await byKey.post('/crm/contacts/export', {});
      assert.equal(asked.status, 202, asked.text);
      const reply = await client.post(`/jobs/${asked.body.job.id}/cancel`);
      assert.deepEqual([reply.status, reply.body.job?.status], [200, 'cancelled'], reply.text);
    }
  });

  test('403: for who sees it by a read scope alone; it goes on', async () => {
    const { id } = await newJob(owner.actor, 'crm:read');
    const wide = await app.actor({ organization_id, scopes: ['crm:read', 'mail:write', 'audit:read'] });
    for (const client of [reader, wide]) {
      assert.equal((await client.get(`/jobs/${id}`)).status, 200);
      const { status, body, headers } = await client.post(`/jobs/${id}/cancel`);
      assert.deepEqual([status, body.code, body.required_scope], [403, 'insufficient_scope', 'crm:write']);
      assert.match(headers.get('www-authenticate')!, /scope="crm:write"/);
    }
    assert.equal((await owner.get(`/jobs/${id}`)).body.job.status, 'queued');
    assert.equal((await owner.post(`/jobs/${id}/cancel`)).status, 200);
  });

  test('403: what a person asked for is not cancelled by a key of theirs that may only read', async () => {
    const person = await newOwner(app);
    const key = (await person.post('/api-keys', { name: 'reads', scopes: ['crm:read'] })).body;
    const byKey = clientOf(app.base_url, { Authorization: `Bearer ${key.secret}` });
    const { job } = (await person.post('/crm/contacts/export', {})).body;
    assert.equal((await byKey.post(`/jobs/${job.id}/cancel`)).status, 403);
  });

  test('404: for who does not see it, whatever they may write elsewhere', async () => {
    const { id } = await newJob(owner.actor, 'crm:write');
    const mail = await app.actor({ organization_id, scopes: ['mail:write', 'crm:read'] });
    assert.equal((await mail.post(`/jobs/${id}/cancel`)).status, 404);
  });
});

describe('the export of an audit log', () => {
  test('is a job of its domain: 404 without its read scope, 403 to cancel without its write scope', async () => {
    const asked = await owner.post('/crm/audit-logs/export', {});
    assert.equal(asked.status, 202, asked.text);
    const path = `/jobs/${asked.body.job.id}`;
    const blind = await app.actor({ organization_id, scopes: ['audit:read', 'mail:read', 'mail:write'] });
    assert.equal((await blind.get(path)).status, 404);
    assert.equal((await blind.post(`${path}/cancel`)).status, 404);
    const seeing = await app.actor({ organization_id, scopes: ['audit:read', 'crm:read'] });
    assert.equal((await seeing.get(path)).status, 200);
    assert.equal((await seeing.post(`${path}/cancel`)).body.required_scope, 'crm:write');
    const writing = await app.actor({ organization_id, scopes: ['audit:read', 'crm:read', 'crm:write'] });
    assert.equal((await writing.post(`${path}/cancel`)).status, 200);
  });

  test('of the platform asks for audit:read alone, and only who asked or may do everything cancels it', async () => {
    const asked = await owner.post('/audit-logs/export', {});
    const path = `/jobs/${asked.body.job.id}`;
    const auditor = await app.actor({ organization_id, scopes: ['audit:read', 'settings:write'] });
    assert.equal((await auditor.get(path)).status, 200);
    assert.equal((await auditor.post(`${path}/cancel`)).body.required_scope, '*');
    assert.equal((await owner.post(`${path}/cancel`)).status, 200);
  });
});
