import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../support/app.ts';
import { newWorkplace, type Workplace } from '../support/attendance.ts';
import { askedBefore, linesIn, linesOf, MONTH } from '../support/attendance-files.ts';
import { download } from '../support/pdf-documents.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

// The workers start once everything is asked for that who asked loses the right to meanwhile.
const app = await startApp();

const branch = await newWorkplace(app);
const demoted = await askedBefore(app, branch, `role = 'member'`);
const departed = await askedBefore(app, branch, 'left_at = now()');
const { dataDir } = app.context.settings;
await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: dataDir }, ['--queues', 'report-export']);

/** A job that has ended. */
async function ended(client: Workplace, id: string) {
  return until('the job has ended', async () => {
    const { job } = (await client.get(`/jobs/${id}`)).body;
    return ['succeeded', 'failed'].includes(job.status) ? job : null;
  });
}

describe('a file of attendance', () => {
  test('shows what who asked may see when it is made, and is not made for who has left', async () => {
    const { id } = demoted.job;
    for (const [client, seen] of [
      [await branch.colleague('manager'), 404],
      [demoted.manager, 200],
      [branch, 200],
    ] as const) {
      assert.equal((await client.get(`/jobs/${id}`)).status, seen);
    }
    assert.equal((await ended(branch, id)).status, 'succeeded');
    const { bytes } = await download(app, branch as never, `/jobs/${id}/file`);
    const { name } = (await branch.done('GET', `/members/${demoted.manager.member_id}`)).member;
    assert.deepEqual(
      linesOf(bytes.toString()).map((line) => line['name']),
      [name],
    );
    const { status, error } = await ended(branch, departed.job.id);
    assert.deepEqual([status, error.code], ['failed', 'invalid_credentials']);
  });

  test('is one for each who asks for the same at once, of what they see, by a job of their own', async () => {
    const shop = await newWorkplace(app);
    const team = async () => {
      const manager = await shop.colleague('manager');
      const managed = await shop.department({ manager_member_id: manager.member_id });
      const person = await shop.person({ department_id: managed.id });
      const { name } = (await shop.done('GET', `/members/${manager.member_id}`)).member;
      return { manager, managed, names: [name, person.name] };
    };
    const teams = [await team(), await team()];
    const path = `/attendance/exports/csv?month=${MONTH}&unit=monthly&encoding=utf-8&lang=en`;
    const asked = await Promise.all(
      teams.map(({ manager }) => manager.send('GET', path, undefined, { Prefer: 'respond-async' })),
    );
    const ids = asked.map(({ status, body }) => {
      assert.equal(status, 202);
      return body.job.id as string;
    });
    const namesIn = ({ bytes }: { bytes: Buffer }) =>
      linesOf(bytes.toString())
        .map((line) => line['name'])
        .toSorted();
    const fileOfJob = (client: Workplace, id: string) => download(app, client as never, `/jobs/${id}/file`);
    for (const [place, { manager, names }] of teams.entries()) {
      const [own, other] = [ids[place]!, ids[1 - place]!];
      const { status } = await ended(shop, own);
      assert.equal(status, 'succeeded');
      assert.equal((await manager.get(`/jobs/${own}`)).status, 200);
      assert.deepEqual(namesIn(await fileOfJob(manager, own)), names.toSorted());
      assert.deepEqual(namesIn(await download(app, manager as never, path)), names.toSorted());
      assert.equal((await manager.get(`/jobs/${other}`)).status, 404);
      assert.equal((await fileOfJob(manager, other)).status, 404);
      assert.equal((await fileOfJob(shop, own)).status, 200);
    }
    // The file that was made stays with who asked for it; the same request makes another one.
    const [{ manager, managed, names }] = teams as [(typeof teams)[0]];
    await shop.done('PATCH', `/org/departments/${managed.id}`, { manager_member_id: null });
    assert.deepEqual(namesIn(await fileOfJob(manager, ids[0]!)), names.toSorted());
    const since = await linesIn(app, manager, `month=${MONTH}&unit=monthly`);
    assert.deepEqual(
      since.map(({ name }) => name),
      names.slice(0, 1),
    );
  });
});
