import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openBackend } from '../../workers/kernel/backend.ts';
import { freshDatabase } from '../support/database.ts';
import { askForMails, mailStates } from '../support/mail-states.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';
import { gateBefore } from './gate.ts';

const own = await freshDatabase();
after(() => own.drop());
const folder = mkdtempSync(join(tmpdir(), 'broken-connections-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const gate = await gateBefore(own.url);

test('a queue works on after its connection was reset while it looked at its tables for the first time', async () => {
  const backend = openBackend({
    redis_url: undefined,
    database_url: gate.url,
    installation: 'inst_any',
    served: 1,
    troubled: () => {},
  });
  await backend.ping();
  gate.silence();
  const looking = assert.rejects(backend.queue('email').waitUntilReady());
  await pause(50);
  gate.reset();
  await looking;
  gate.open();
  const data = { organization_id: 'org_none', delivery_id: 'dlv_any', hand_over: 1 };
  const tickets = await backend.queue('email').addBulk([{ name: 'any', data }]);
  await tickets[0]!.remove();
  await backend.end();
});

test('workers outlive connections that are reset, whatever each one was doing', async () => {
  const workers = await startWorkers({ DATABASE_URL: gate.url, DATA_DIR: folder });
  for (let round = 0; round < 30; round++) {
    await askForMails(own.database, `round-${round}`, 3);
    await pause((round * 7) % 60);
    gate.reset();
    assert.deepEqual([workers.process.exitCode, ...workers.errors], [null], `round ${round}`);
  }
  const mails = await askForMails(own.database, 'last', 3);
  await until('the last ones are sent', async () => {
    return (await mailStates(own.database, mails)).every(({ status }) => status === 'sent');
  });
  assert.deepEqual(workers.errors, []);
  assert.equal(await workers.stop(), 0);
});
