import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newActor } from '../support/actors.ts';
import { startApi } from '../support/api.ts';
import { clientOf, type Reply } from '../support/client.ts';
import { freshDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { isAwaited, whileHeld } from '../support/held.ts';
import { until } from '../support/until.ts';

const own = await freshDatabase();
after(() => own.drop());
const { secret } = await newActor(own.database);

/** An API of one connection; answers how to make a contact there. */
async function withOneConnection(pool_timeout_seconds: string): Promise<() => Promise<Reply>> {
  const port = await freePort();
  await startApi(port, {
    DATABASE_URL: own.url,
    POOL_SIZE: '1',
    POOL_TIMEOUT_SECONDS: pool_timeout_seconds,
  });
  const client = clientOf(`http://127.0.0.1:${port}`, { Authorization: `Bearer ${secret}` });
  return () => client.post('/crm/contacts', { first_name: 'a', last_name: 'b' });
}

test('a request waits for a connection as long as POOL_TIMEOUT_SECONDS says, then it is 503 with Retry-After', async () => {
  const [impatient, patient] = [await withOneConnection('1'), await withOneConnection('30')];
  const waiting = await whileHeld(own.database, 'crm_contacts', async () => {
    const first = impatient();
    await until('the first one has the connection', () => isAwaited(own.database, 'crm_contacts'));
    const all = [first, patient(), patient()];
    // Together longer than the five seconds that are meant where nothing is set.
    for (let round = 0; round < 6; round++) {
      const reply = await impatient();
      assert.equal(reply.status, 503, reply.text);
      assert.equal(reply.body.code, 'unavailable');
      assert.equal(reply.headers.get('retry-after'), '1');
    }
    return all;
  });
  for (const reply of await Promise.all(waiting)) assert.equal(reply.status, 201, reply.text);
});
