import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queueNumbers } from '../../../../shared/platform/outbox/numbers.ts';
import { startApp } from '../../../support/app.ts';

test('a job that was asked for by a clock ahead of the database is due at once', async () => {
  const ahead = () => new Date(Date.now() + 24 * 60 * 60_000);
  const app = await startApp({ now: ahead });
  const client = await app.actor();
  const reply = await client.post('/crm/contacts/export', {});
  assert.equal(reply.status, 202, reply.text);
  const numbers = await app.database.withConnection('*', (connection) =>
    queueNumbers(connection, new Date()),
  );
  const exports = numbers.find(({ queue }) => queue === 'report-export');
  assert.deepEqual([exports?.waiting, exports?.later], [1, 0]);
});
