import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openDatabase } from '../../shared/db/database.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { gateBefore } from './gate.ts';

const own = await freshDatabase();
after(() => own.drop());
const gate = await gateBefore(own.url);
const database = openDatabase({ url: gate.url, pool_size: 8, statement_timeout: 500 });
after(() => database.end());
const app = await startApp({ database: { ...own, database } });
const client = await app.actor();

test('503 for all while the network has lost the database, and 200 once it is found again', async () => {
  const more = () => Promise.all(Array.from({ length: 8 }, () => client.get('/crm/contacts')));
  for (const reply of await more()) assert.equal(reply.status, 200);
  gate.silence();
  const replies = await Promise.all([
    ...Array.from({ length: 6 }, () => client.get('/crm/contacts')),
    client.post('/crm/contacts', { first_name: 'a', last_name: 'b' }),
    client.get('//readyz'),
  ]);
  for (const reply of replies) assert.equal(reply.status, 503, reply.text);
  gate.open();
  await until('answers again', async () => (await client.get('/crm/contacts')).status === 200, 5_000);
  for (const reply of await more()) assert.equal(reply.status, 200);
  assert.equal((await client.get('//readyz')).status, 200);
});
