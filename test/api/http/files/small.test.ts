import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import { Failure } from '../../../../shared/kernel/failure.ts';
import { removeLooseFiles } from '../../../../shared/platform/storage/loose-files.ts';
import { startApp } from '../../../support/app.ts';
import { newOffice, type Office } from '../../../support/cloud.ts';
import { freshDatabase } from '../../../support/database.ts';
import { looseFiles, storedFiles } from '../../../support/stored.ts';
import { until } from '../../../support/until.ts';
import { formWith } from '../../../support/uploads.ts';

const own = await freshDatabase();
after(() => own.drop());
const { context } = await startApp({ database: own });
const { storage } = context;

/** What storing waits for, and what it fails with then. */
let gate = Promise.withResolvers<void>();
let reached = 0;
const app = await startApp({
  database: own,
  environment: { DATA_DIR: context.settings.dataDir },
  storage: {
    ...storage,
    async put(key, bytes) {
      reached += 1;
      await gate.promise;
      await storage.put(key, bytes);
    },
  },
});

/** Sends a small file whose bytes wait on their way into the store. */
async function held<T>(
  send: () => Promise<T>,
): Promise<{ answer: Promise<T>; goOn: () => void; fail: () => void }> {
  gate = Promise.withResolvers();
  gate.promise.catch(() => undefined);
  const before = reached;
  const answer = send();
  await until('its bytes are on their way', () => reached > before);
  return {
    answer,
    goOn: () => gate.resolve(),
    fail: () => gate.reject(new Failure('unavailable', { headers: { 'Retry-After': '60' } })),
  };
}

const rowsOf = ({ organization_id }: Office) =>
  own.database.withConnection(organization_id, ({ query }) =>
    query('SELECT FROM files WHERE organization_id = $1', [organization_id]),
  );

afterEach(async () => assert.deepEqual(await looseFiles(app), []));

test('no record names a small file before its bytes are in the store', async () => {
  for (const send of [
    (office: Office) => office.store('a', 'small'),
    (office: Office) => office.post('/cloud/files', formWith('small')),
  ]) {
    const office = await newOffice(app);
    const { answer, goOn } = await held(() => send(office));
    assert.equal((await looseFiles(app)).length, 1, 'what is written is known before');
    assert.deepEqual(await rowsOf(office), []);
    goOn();
    const { status, body } = await answer;
    assert.equal(status, 201);
    assert.equal((await office.get(`/cloud/files/${body.file.id}/content`)).text, 'small');
    assert.equal((await rowsOf(office)).length, 1);
  }
});

test('where it cannot be stored, its transaction leaves nothing, and its room is free', async () => {
  const office = await newOffice(app);
  const before = storedFiles(app);
  const { answer, fail } = await held(() => office.store('a', 'small'));
  fail();
  const { status, body } = await answer;
  assert.deepEqual([status, body.code], [503, 'unavailable']);
  assert.deepEqual([await rowsOf(office), await office.names()], [[], []]);
  assert.equal((await office.get('/cloud/usage')).body.usage.used_bytes, 0);
  assert.deepEqual(storedFiles(app), before);
});

test('what is refused while it is being stored is removed behind its last byte', async () => {
  const office = await newOffice(app);
  const before = storedFiles(app);
  const sent = await held(() => office.store('a', 'small', null, { 'If-Match': '"sha256:00"' }));
  sent.goOn();
  assert.equal((await sent.answer).status, 412);
  assert.deepEqual(storedFiles(app), before);
});

test('a small file that finds no room is told how much is free, once its room was asked for', async () => {
  gate.resolve();
  const office = await newOffice(app);
  await office.patch('/cloud/settings', { quota_bytes: 10 });
  const { id } = await office.file('a', '12345678');
  for (const send of [
    () => office.store('b', '123'),
    () => office.send('PUT', `/cloud/files/${id}/content`, 'other'),
    () => office.post('/cloud/files', formWith('123')),
  ]) {
    const { status, body } = await send();
    assert.deepEqual([status, body.code, body.free_bytes], [413, 'quota_exceeded', 2]);
  }
  assert.equal((await office.store('b', '12')).status, 201);
  assert.equal((await office.store('c', '')).status, 201, 'no byte needs no room');
  assert.equal((await office.store('a', '12345678')).status, 200, 'what is there needs none');
  assert.equal(await removeLooseFiles(context, new Date(), new AbortController().signal), 1);
  await office.patch('/cloud/settings', { quota_bytes: 0 });
  assert.equal((await office.store('d', '')).status, 201);
  assert.equal((await office.get('/cloud/usage')).body.usage.used_bytes, 10);
});
