import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Environment } from '../../shared/platform/settings/settings.ts';
import { startApp } from '../support/app.ts';
import { entriesOf } from '../support/batches.ts';
import type { Client } from '../support/client.ts';
import { ended } from '../support/exports.ts';
import { pendingSeal } from '../support/pending-seals.ts';
import { sealP12 } from '../support/seal-p12.ts';
import { newSender, type Sender } from '../support/signing.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

const seal = await sealP12();
const app = await startApp({ environment: seal });

/** Workers of batches, and of the reminders that one asks for. */
const working = (more: Environment = {}) =>
  startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir, ...more }, [
    '--queues',
    'csv-import,signing-reminder',
  ]);

/** The outcome of each document of a batch that a worker has ended. */
async function batch(
  sender: Sender,
  body: object,
): Promise<[id: string, status: number | null, code: string | null][]> {
  const reply = await sender.post('/sign/documents/batch', body);
  assert.equal(reply.status, 202, reply.text);
  const job = await ended(sender, reply.body.job.id);
  assert.deepEqual([job.status, job.kind], ['succeeded', 'sign.documents.batch']);
  return entriesOf(job).map(({ id, status, code }) => [id, status, code]);
}

const statusOf = async (client: Client, id: string) =>
  (await client.get(`/sign/documents/${id}`)).body.document.status;

test('a batch sends, reminds and cancels as the single calls do; what its sender does not see is not found', async () => {
  const workers = await working(seal);
  const owner = await newSender(app);
  const sender = await owner.colleague();
  const unseen = await owner.draft();
  const ready = await sender.draft();
  const bare = await sender.draft({ signers: [], fields: [] });
  const ids = [ready.id, unseen.id, bare.id];
  assert.deepEqual(await batch(sender, { action: 'send', ids }), [
    [ready.id, 200, null],
    [unseen.id, 404, 'not_found'],
    [bare.id, 422, 'not_sendable'],
  ]);
  assert.deepEqual([await statusOf(sender, ready.id), await statusOf(owner, unseen.id)], ['sent', 'draft']);

  const remind = { action: 'remind', message: '今週中にお願いします。' };
  assert.deepEqual(await batch(sender, { ...remind, ids }), [
    [ready.id, 202, null],
    [unseen.id, 404, 'not_found'],
    [bare.id, 409, 'invalid_transition'],
  ]);
  await until('the reminder is asked for', async () => {
    const mails = await app.database.withConnection('*', ({ query }) =>
      query<{ message: string }>(
        "SELECT told ->> 'message' AS message FROM sign_mails WHERE document_id = $1 AND kind = 'reminder'",
        [ready.id],
      ),
    );
    return mails.length === 1 && mails[0]!.message === remind.message;
  });

  assert.deepEqual(await batch(sender, { action: 'cancel', reason: '条件変更', ids }), [
    [ready.id, 200, null],
    [unseen.id, 404, 'not_found'],
    [bare.id, 200, null],
  ]);
  const { document } = (await sender.get(`/sign/documents/${ready.id}`)).body;
  assert.deepEqual([document.status, document.cancel_note], ['cancelled', '条件変更']);
  assert.equal(await workers.stop(), 0);
});

test('a batch has what failed sealed again', async () => {
  const workers = await working(seal);
  const sender = await newSender(app);
  const { id } = await sender.draft();
  const failed = await pendingSeal({ database: app.database, storage: app.context.storage }, sender.actor);
  await app.database.withConnection('*', ({ query }) =>
    query(
      "UPDATE sign_documents SET sealing_status = 'failed', sealing_since = NULL, sealing_error = 'stamp_failed' WHERE id = $1",
      [failed],
    ),
  );
  assert.deepEqual(await batch(sender, { action: 'seal', ids: [failed, id] }), [
    [failed, 202, null],
    [id, 409, 'invalid_transition'],
  ]);
  const { document } = (await sender.get(`/sign/documents/${failed}`)).body;
  assert.deepEqual(
    [document.status, document.sealing.status, document.sealing.error],
    ['sent', 'pending', null],
  );
  assert.equal(await workers.stop(), 0);
});

test('workers without a key that seals send nothing', async () => {
  const workers = await working();
  const sender = await newSender(app);
  const { id } = await sender.draft();
  assert.deepEqual(await batch(sender, { action: 'send', ids: [id] }), [[id, 409, 'seal_key_missing']]);
  assert.equal(await statusOf(sender, id), 'draft');
  assert.equal(await workers.stop(), 0);
});
