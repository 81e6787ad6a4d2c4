import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forms } from '../../../shared/forms/domain.ts';
import { createJob } from '../../../shared/platform/jobs/operations.ts';
import { removeLooseFiles } from '../../../shared/platform/storage/loose-files.ts';
import { startApp } from '../../support/app.ts';
import { finishWithFile, jobStep } from '../../support/jobs.ts';
import { storedFiles } from '../../support/stored.ts';
import {
  countsOf,
  everythingKept,
  storedFile,
  storedForm,
  storedPartial,
  storedResponse,
} from '../../support/stored-responses.ts';

const app = await startApp();
const DAY = 24 * 60 * 60_000;
const { signal } = new AbortController();

async function owner() {
  const client = await app.actor();
  const where = { database: app.database, organization_id: client.actor.organization_id };
  return { client, where, form_id: await storedForm(where, { retention_days: 30 }) };
}

/** Runs a sweep of forms by its name, as the workers do. */
function sweep(name: string, now = new Date()): Promise<number> {
  const found = forms.sweeps!.find((one) => one.name === name);
  return found!.run(app.database, now, signal);
}

/** The job of an export of a form's responses whose file is there. */
async function exported(organization_id: string, form_id: string): Promise<string> {
  const kind = 'forms.responses.export';
  const job = await jobStep(app, organization_id, (work) =>
    createJob(work, { kind, scope: 'forms:read', unit: 'rows' }),
  );
  await finishWithFile(app, { organization_id, job_id: job.id, result: { form_id } }, 'secret answer');
  return job.id;
}

const SECRETS = ['secret', 'hanako@'];

describe('a response that is deleted', () => {
  it('goes with its file, and leaves of its event that it was', async () => {
    const { client, where, form_id } = await owner();
    const { organization_id } = where;
    const id = await storedResponse(where, { form_id });
    const kept = await storedResponse(where, { form_id, email: 'taro@example.com' });
    await storedFile(app, { organization_id, form_id, response_id: id });
    const job_id = await exported(organization_id, form_id);
    const of_other = await exported(organization_id, await storedForm(where));
    const path = `/forms/${form_id}/responses/${id}`;
    assert.deepEqual((await client.delete(path)).body, { success: true });
    assert.equal((await client.delete(path)).status, 404);
    assert.equal((await client.get(`/jobs/${job_id}/file`)).status, 404, 'an export that shows it is gone');
    assert.equal((await client.get(`/jobs/${of_other}/file`)).status, 200, 'those of other forms stay');
    assert.deepEqual(await countsOf(where, form_id), { responses: 1, spam: 0 });
    const { data } = (await client.get('/events?type=forms.response.submitted&limit=100')).body;
    const event = data.find((one: { data: { id: string } }) => one.data.id === id);
    assert.deepEqual(Object.keys(event.data), ['id', 'object', 'form_id', 'submitted_at', 'erased']);
    assert.equal(event.data.erased, true);
    assert.equal(event.data.form_id, form_id);
    assert.ok(
      data.some((one: { data: { id: string; data?: object } }) => one.data.id === kept && one.data.data),
    );
    await removeLooseFiles(app.context, new Date(Date.now() + 1_000), signal);
    const left = storedFiles(app).filter((file) => file.includes(organization_id));
    assert.equal(left.length, 1, 'that of the other export');
    const rest = await everythingKept(where);
    assert.ok(!rest.includes('hanako@'), 'its answers stand nowhere');
    assert.ok(rest.includes('taro@'), 'those of others do');
  });

  it('is not found under another form or in another organization', async () => {
    const { client, where, form_id } = await owner();
    const id = await storedResponse(where, { form_id });
    const other = await storedForm(where);
    assert.equal((await client.delete(`/forms/${other}/responses/${id}`)).status, 404);
    assert.equal((await (await app.actor()).delete(`/forms/${form_id}/responses/${id}`)).status, 404);
    assert.deepEqual(await countsOf(where, form_id), { responses: 1, spam: 0 });
  });

  it('is audited without an answer', async () => {
    const { client, where, form_id } = await owner();
    const id = await storedResponse(where, { form_id, is_spam: true });
    await client.delete(`/forms/${form_id}/responses/${id}`);
    const { items } = (await client.get(`/forms/audit-logs?entity_id=${id}`)).body;
    assert.deepEqual(
      items.map(({ action, actor, changes }: { action: string; actor: object; changes: object }) => ({
        action,
        actor,
        changes: Object.keys(changes),
      })),
      [
        {
          action: 'delete',
          actor: { type: 'api_key', id: client.actor.api_key_id },
          changes: ['id', 'form_id', 'form_version', 'source', 'is_spam', 'submitted_at'],
        },
      ],
    );
    assert.deepEqual(await countsOf(where, form_id), { responses: 0, spam: 0 });
  });
});

describe('by the night', () => {
  it('responses go so many days after they were submitted as their form says, spam too, and not a second before', async () => {
    const { where, form_id } = await owner();
    const submitted_at = new Date(Date.now() - 100 * DAY);
    const forever = await storedForm(where);
    for (const is_spam of [false, true]) {
      await storedResponse(where, { form_id, submitted_at, is_spam });
      await storedResponse(where, { form_id: forever, submitted_at, is_spam, email: 'taro@example.com' });
    }
    const due = submitted_at.getTime() + 30 * DAY;
    assert.equal(await sweep('forms_retention', new Date(due - 1_000)), 0);
    assert.equal(await sweep('forms_retention', new Date(due)), 1);
    assert.deepEqual(await countsOf(where, form_id), { responses: 0, spam: 0 });
    assert.deepEqual(await countsOf(where, forever), { responses: 1, spam: 1 });
    assert.ok(!(await everythingKept(where)).includes('hanako@'));
    assert.equal(await sweep('forms_retention', new Date(due)), 0, 'what is gone is found no more');
  });

  it('files go that nobody claimed for a day; those of responses and partials stay', async () => {
    const { where, form_id } = await owner();
    const { organization_id } = where;
    const created_at = new Date();
    const place = { organization_id, form_id, created_at };
    const response_id = await storedResponse(where, { form_id });
    const partial_id = await storedPartial(where, { form_id, expires_at: new Date(Date.now() + 90 * DAY) });
    await storedFile(app, place);
    const claimed = await storedFile(app, { ...place, response_id });
    const saved = await storedFile(app, { ...place, partial_id });
    assert.equal(await sweep('forms_unclaimed_files', new Date(created_at.getTime() + DAY)), 0);
    assert.equal(await sweep('forms_unclaimed_files', new Date(created_at.getTime() + DAY + 1)), 1);
    await removeLooseFiles(app.context, new Date(Date.now() + 2 * DAY), signal);
    assert.deepEqual(
      storedFiles(app).filter((file) => file.includes(organization_id)),
      [claimed.storage_key, saved.storage_key].toSorted(),
    );
  });

  it('partials go with their files when their time is over', async () => {
    const { where, form_id } = await owner();
    const { organization_id } = where;
    const expires_at = new Date(Date.now() + DAY);
    const partial_id = await storedPartial(where, { form_id, expires_at });
    await storedFile(app, { organization_id, form_id, partial_id });
    assert.equal(await sweep('forms_ended_partials', new Date(expires_at.getTime() - 1)), 0);
    assert.equal(await sweep('forms_ended_partials', expires_at), 1);
    const kept = await everythingKept(where);
    for (const secret of SECRETS) assert.ok(!kept.includes(secret), secret);
  });

  it('hashes of addresses go after 30 days', async () => {
    const { where, form_id } = await owner();
    const { organization_id } = where;
    const at = new Date(Date.now() - 400 * DAY);
    await storedResponse(where, { form_id, submitted_at: at, address_hash: 'hash' });
    await storedFile(app, { organization_id, form_id, created_at: at, address_hash: 'hash' });
    assert.equal(await sweep('forms_address_hashes', new Date(at.getTime() + 30 * DAY)), 0);
    assert.equal(await sweep('forms_address_hashes', new Date(at.getTime() + 30 * DAY + 1)), 2);
    assert.ok(!(await everythingKept(where)).includes('"hash"'));
  });
});
