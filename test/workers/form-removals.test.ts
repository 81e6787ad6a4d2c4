import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { removeLooseFiles } from '../../shared/platform/storage/loose-files.ts';
import { startApp } from '../support/app.ts';
import { bulkResponses } from '../support/bulk-responses.ts';
import { somebodyWaits, whileHeld } from '../support/held.ts';
import { jobStep } from '../support/jobs.ts';
import { storedFiles } from '../support/stored.ts';
import {
  countsOf,
  everythingKept,
  storedFile,
  storedForm,
  storedPartial,
} from '../support/stored-responses.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

const app = await startApp();
const environment = { DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir };
const startRemoving = () => startWorkers(environment, ['--queues', 'report-export']);

/** More than the call takes along and one part after it. */
const MANY = 450;

/** More than one commit of the sweep removes. */
const MANY_OLD = 150;
const TWO_DAYS_AGO = Date.now() - 48 * 60 * 60_000;

describe('responses that their form keeps no longer', () => {
  it('go in small commits, and in another worker where the first is killed in the middle, each told once', async () => {
    const client = await app.actor();
    const { organization_id } = client.actor;
    const where = { database: app.database, organization_id };
    const form_id = await storedForm(where, { retention_days: 1 });
    const ids = await bulkResponses(where, { form_id, count: MANY_OLD, apart: 1_000, end: TWO_DAYS_AGO });
    const [kept] = await bulkResponses(where, { form_id, count: 1, apart: 0 });
    const left = () =>
      app.database.withConnection(organization_id, ({ query }) =>
        query<{ id: string }>('SELECT id FROM forms_responses WHERE form_id = $1', [form_id]),
      );
    await jobStep(app, organization_id, async ({ connection }) => {
      await connection.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      await connection.query('SELECT FROM forms_responses WHERE id = $1 FOR UPDATE', [ids.at(-1)]);
      const first = await startRemoving();
      await until('the second part waits', async () => (await left()).length === MANY_OLD + 1 - 100);
      await somebodyWaits(app.database);
      await first.kill();
    });
    assert.equal((await left()).length, MANY_OLD + 1 - 100, 'what was under way changed nothing');
    // As if the time had passed for which a run is taken to go on.
    await app.database.withConnection('*', ({ query }) =>
      query("DELETE FROM sweeps WHERE name = 'forms_retention'"),
    );
    const second = await startRemoving();
    await until('the old ones are gone', async () => (await left()).length === 1);
    await second.stop();
    assert.deepEqual(await left(), [{ id: kept }]);
    assert.deepEqual(await countsOf(where, form_id), { responses: 1, spam: 0 });
    const { total, items } = (await client.get('/forms/audit-logs?entity_type=response&action=delete')).body;
    assert.equal(total, MANY_OLD);
    assert.deepEqual(
      [...new Set(items.map(({ actor }: { actor: { type: string } }) => actor.type))],
      ['system'],
    );
  });
});

describe('a form that is removed with many responses', () => {
  it('is gone at once, its responses behind it, also where the worker is killed in the middle', async () => {
    const client = await app.actor();
    const { organization_id } = client.actor;
    const where = { database: app.database, organization_id };
    const rowsOf = async (table: string, form_id: string) => {
      const [row] = await app.database.withConnection(organization_id, ({ query }) =>
        query<{ count: number }>(
          `SELECT count(*)::integer AS count FROM ${table} WHERE organization_id = $1 AND form_id = $2`,
          [organization_id, form_id],
        ),
      );
      return row!.count;
    };
    const [form_id, other] = [await storedForm(where), await storedForm(where)];
    const ids = await bulkResponses(where, { form_id, count: MANY, apart: 10 });
    await bulkResponses(where, { form_id: other, count: 3, apart: 10 });
    const last = ids.at(-1)!;
    const partial_id = await storedPartial(where, { form_id, expires_at: new Date(Date.now() + 1e9) });
    const file = { organization_id, form_id };
    const { id: file_id } = await storedFile(app, { ...file, response_id: last });
    await storedFile(app, { ...file, partial_id });
    await storedFile(app, file);
    const path = `/forms/${form_id}`;
    await client.post(`${path}/archive`);
    assert.deepEqual((await client.delete(`${path}?with_responses=true`)).body, { success: true });

    const response = `${path}/responses/${last}`;
    for (const gone of [
      path,
      `${path}/responses`,
      response,
      `${response}/files/${file_id}`,
      `${path}/summary`,
    ]) {
      assert.equal((await client.get(gone)).status, 404, gone);
    }
    assert.equal((await client.patch(response, { note: 'x' })).status, 404);
    assert.equal((await client.delete(response)).status, 404);
    assert.equal(await rowsOf('forms_responses', form_id), MANY - 200, 'the call is bounded');

    await whileHeld(app.database, 'forms_files', async () => {
      const first = await startRemoving();
      await somebodyWaits(app.database);
      await first.kill();
    });
    const second = await startRemoving();
    await until('its files are gone', async () => (await rowsOf('forms_files', form_id)) === 0);
    await second.stop();
    assert.equal(await rowsOf('forms_responses', form_id), 0);
    assert.equal(await rowsOf('forms_emails', form_id), 0);
    assert.equal(await rowsOf('forms_responses', other), 3);
    await removeLooseFiles(app.context, new Date(Date.now() + 60_000), new AbortController().signal);
    assert.deepEqual(
      storedFiles(app).filter((key) => key.includes(organization_id)),
      [],
    );
    const told = (await everythingKept(where)).match(/secret answer/g) ?? [];
    assert.equal(told.length, 3 * 3, 'answers, what is searched and events of the other form alone');
    const { total, items } = (await client.get('/forms/audit-logs?entity_type=response&action=delete')).body;
    assert.equal(total, MANY, 'each is told once');
    assert.deepEqual(
      [...new Set(items.map(({ actor }: { actor: { id: string } }) => actor.id))],
      [client.actor.api_key_id],
    );
  });
});
