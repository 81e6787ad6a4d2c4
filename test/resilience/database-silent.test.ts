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
const database = openDatabase({ url: gate.url, pool_size: 8, statement_timeout: 2_000 });
after(() => database.end());
const app = await startApp({ database: { ...own, database } });
const client = await app.actor();

test('503 for all while the network has lost the database, and 200 once it is found again', async () => {
  const allAnswer = () =>
    until('all are answered', async () => {
      const replies = await Promise.all(Array.from({ length: 8 }, () => client.get('/crm/contacts')));
      return replies.every(({ status }) => status === 200);
    });
  await allAnswer();
  gate.silence();
  const replies = await Promise.all([
    ...Array.from({ length: 6 }, () => client.get('/crm/contacts')),
    client.post('/crm/contacts', { first_name: 'a', last_name: 'b' }),
    client.get('//readyz'),
  ]);
  for (const reply of replies) assert.equal(reply.status, 503, reply.text);
  gate.open();
  await allAnswer();
  await until('it is ready', async () => (await client.get('//readyz')).status === 200);
});
