import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../support/app.ts';
import { company } from '../support/crm-pairs.ts';
import { ended } from '../support/exports.ts';
import { toldBy } from '../support/facts.ts';
import {
  DOCUMENTS,
  holdContact,
  largeContacts,
  largePair,
  mergedState,
  startMergeWorkers,
  untilMergeWaits,
} from '../support/merge-jobs.ts';
import { until } from '../support/until.ts';

const app = await startApp();
// The program that a test starts ends with that test; this one ends with the file.
const first_workers = await startMergeWorkers(app);

const MOVED = { deals: 1, activities: 1, contacts: 1, tags: 0, documents: DOCUMENTS };
const UNTOUCHED = {
  documents: DOCUMENTS,
  deals: 1,
  contacts: 1,
  activities: 1,
  events: 0,
  entries: 0,
};
const DONE = { ...UNTOUCHED, kept_requests: 0, events: DOCUMENTS, entries: DOCUMENTS };

describe('202: a merge of more rows than a request moves', () => {
  test('runs as a job, with the result, the events and the audit entries of a request', async () => {
    const client = await app.actor();
    const { organization_id } = client.actor;
    const { survivor, loser, path } = await largePair(app, client);
    const dry = await client.post(path, { loser_id: loser.id, dry_run: true });
    assert.deepEqual([dry.status, dry.body.moved, dry.body.job], [200, MOVED, null], dry.text);
    const told = await toldBy(app, organization_id, async () => {
      const reply = await client.post(path, { loser_id: loser.id });
      assert.equal(reply.status, 202, reply.text);
      const { company: expected, moved, dry_run, job } = reply.body;
      assert.deepEqual([expected.note, moved, dry_run], ['x', MOVED, false]);
      assert.deepEqual([job.kind, job.progress.unit], ['crm.companies.merge', 'records']);
      const done = await ended(client, job.id);
      assert.equal(done.status, 'succeeded', JSON.stringify(done.error));
      const read = (await client.get(`/crm/companies/${survivor.id}`)).body.company;
      assert.deepEqual(done.result, { company: read, moved: MOVED, dry_run: false });
      assert.deepEqual([read.note, read.open_deals, read.open_amount], ['x', 1, 1000]);
    });
    assert.deepEqual(await mergedState(app, organization_id, survivor.id), DONE);
    assert.equal((await client.get(`/crm/companies/${loser.id}`)).status, 301);
    const types = Map.groupBy(told.events, ({ type }) => type);
    assert.equal(types.get('crm.company.deleted')?.length, 1);
    assert.equal(types.get('crm.company.updated')?.length, 1);
    const entries = (await client.get('/crm/audit-logs?entity_type=company&action=delete')).body.items;
    assert.deepEqual([entries[0].actor.type, entries[0].actor.id], ['api_key', client.actor.api_key_id]);
  });

  test('merges contacts, too', async () => {
    const client = await app.actor();
    const { survivor, loser, path } = await largeContacts(app, client);
    const { status, body, text } = await client.post(path, { loser_id: loser.id });
    assert.equal(status, 202, text);
    const done = await ended(client, body.job.id);
    assert.deepEqual([done.status, done.kind], ['succeeded', 'crm.contacts.merge']);
    const read = (await client.get(`/crm/contacts/${survivor.id}`)).body.contact;
    assert.deepEqual([read.phone, done.result?.['contact']], ['03', read]);
    const { total } = (await client.get(`/crm/activities?contact_id=${survivor.id}&limit=1`)).body;
    assert.equal(total, DOCUMENTS);
  });

  test('replays its answer for the same Idempotency-Key, with one job', async () => {
    const client = await app.actor();
    const { loser, path } = await largePair(app, client);
    const headers = { 'Idempotency-Key': 'merge-1' };
    const first = await client.post(path, { loser_id: loser.id }, headers);
    const second = await client.post(path, { loser_id: loser.id }, headers);
    assert.deepEqual([first.status, second.status], [202, 202], second.text);
    assert.deepEqual(second.body, first.body);
    assert.equal((await client.get('/jobs?kind=crm.companies.merge')).body.items.length, 1);
    assert.equal((await ended(client, first.body.job.id)).status, 'succeeded');
  });
});

describe('a survivor that changes before the job runs', () => {
  test('fails a merge that was asked for with If-Match, and nothing is merged', async () => {
    const client = await app.actor();
    const { survivor, loser, path } = await largePair(app, client);
    await first_workers.stop();
    const etag = (await client.get(`/crm/companies/${survivor.id}`)).headers.get('etag')!;
    const reply = await client.post(path, { loser_id: loser.id }, { 'If-Match': etag });
    assert.equal(reply.status, 202, reply.text);
    assert.equal((await client.patch(`/crm/companies/${survivor.id}`, { note: 'changed' })).status, 200);
    const late = await client.post(path, { loser_id: loser.id }, { 'If-Match': etag });
    assert.equal(late.status, 412);
    await startMergeWorkers(app);
    const job = await ended(client, reply.body.job.id);
    assert.deepEqual(job.error, { code: 'precondition_failed', message: late.body.detail });
    const state = await mergedState(app, client.actor.organization_id, loser.id);
    assert.deepEqual(state, { ...UNTOUCHED, kept_requests: 0 });
  });
});

// Its workers begin when both requests are answered: those of the file have ended with the test above.
describe('two merges that wait at once', () => {
  test('of two merges of one pair the later one fails as its request would have', async () => {
    const client = await app.actor();
    const { survivor, loser, path } = await largePair(app, client);
    const replies = await Promise.all([
      client.post(path, { loser_id: loser.id }),
      client.post(path, { loser_id: loser.id }),
    ]);
    assert.deepEqual(
      replies.map(({ status }) => status),
      [202, 202],
    );
    await startMergeWorkers(app);
    const jobs = await Promise.all(replies.map(({ body }) => ended(client, body.job.id)));
    assert.deepEqual(jobs.map(({ status }) => status).sort(), ['failed', 'succeeded']);
    const now = await client.post(path, { loser_id: loser.id });
    assert.equal(now.status, 422);
    const { code, detail } = now.body;
    assert.deepEqual(jobs.find(({ error }) => error)?.error, { code, message: detail });
    assert.deepEqual(await mergedState(app, client.actor.organization_id, survivor.id), DONE);
  });
});

describe('in the middle of the work', () => {
  test('a killed worker leaves nothing changed, and the next one merges', async () => {
    const client = await app.actor();
    const { organization_id } = client.actor;
    const { survivor, loser, person, path } = await largePair(app, client);
    const workers = await startMergeWorkers(app);
    const release = await holdContact(app, person.id);
    const { body } = await client.post(path, { loser_id: loser.id });
    await untilMergeWaits(app);
    await workers.kill();
    assert.deepEqual(await mergedState(app, organization_id, loser.id), { ...UNTOUCHED, kept_requests: 1 });
    await startMergeWorkers(app);
    await release();
    const job = await ended(client, body.job.id);
    assert.equal(job.status, 'succeeded', JSON.stringify(job));
    assert.deepEqual(await mergedState(app, organization_id, survivor.id), DONE);
  });

  test('a cancelled job undoes everything', async () => {
    const client = await app.actor();
    const { loser, person, path } = await largePair(app, client);
    await startMergeWorkers(app);
    const release = await holdContact(app, person.id);
    const { body } = await client.post(path, { loser_id: loser.id });
    await untilMergeWaits(app);
    const cancelled = await client.post(`/jobs/${body.job.id}/cancel`);
    assert.equal(cancelled.body.job.status, 'cancelled', cancelled.text);
    await until('the request is removed', async () => {
      const { kept_requests } = await mergedState(app, client.actor.organization_id, loser.id);
      return kept_requests === 0;
    });
    await release();
    const state = await mergedState(app, client.actor.organization_id, loser.id);
    assert.deepEqual(state, { ...UNTOUCHED, kept_requests: 0 });
  });

  test('a record that is added to the loser waits, and finds the loser gone', async () => {
    const client = await app.actor();
    const { survivor, loser, person, path } = await largePair(app, client);
    await startMergeWorkers(app);
    const release = await holdContact(app, person.id);
    const { body } = await client.post(path, { loser_id: loser.id });
    await untilMergeWaits(app);
    const adding = client.post('/crm/contacts', { first_name: 'A', last_name: 'B', company_id: loser.id });
    const other = await company(client, { name: 'another' });
    assert.ok(other.id);
    await release();
    assert.equal((await ended(client, body.job.id)).status, 'succeeded');
    const added = await adding;
    assert.deepEqual([added.status, added.body.code], [422, 'unknown_reference'], added.text);
    assert.deepEqual(await mergedState(app, client.actor.organization_id, survivor.id), DONE);
  });
});
