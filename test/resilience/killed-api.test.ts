import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newActor } from '../support/actors.ts';
import { startApi } from '../support/api.ts';
import { freshDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { killAmongRequests } from './killings.ts';
import { assertExactlyOnce, resent, sendContacts } from './senders.ts';

const own = await freshDatabase();
after(() => own.drop());

test('of 200 POSTs with keys none is lost and none doubled while the API is killed among them', async (context) => {
  const { secret, organization_id } = await newActor(own.database);
  const port = await freePort();
  const start = () => startApi(port, { DATABASE_URL: own.url });
  let api = await start();
  const senders = sendContacts(`http://127.0.0.1:${port}`, secret, { count: 200, parallel: 16 });
  const answered = () => senders.wanted.filter(({ id }) => id !== null).length;
  api = await killAmongRequests({ api, start, answered, database: own.database, table: 'crm_contacts' });
  await senders.done;
  await assertExactlyOnce(own.database, organization_id, senders.wanted);
  const cut = senders.wanted.filter(({ answers }) => answers.includes('cut')).length;
  assert(cut > 0, 'the one that waited when the API was killed');
  context.diagnostic(
    `200 sent, ${cut} cut at least once, ${resent(senders.wanted)} sent again, 0 lost, 0 doubled`,
  );
  assert.equal(await api.stop(), 0);
});
