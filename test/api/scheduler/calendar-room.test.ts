import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { googleFake } from '../../support/google.ts';
import { newOwner } from '../../support/people.ts';
import { storeRow } from '../../support/scheduler.ts';

/** Nobody listens there: a feed is connected before it is read. */
const NOBODY = '127.0.0.1:9';

const google = await googleFake();
const app = await startApp({ environment: { ...google.environment, CALENDAR_HOSTS: NOBODY } });
google.calendars.add('hanako@gmail.example');

test('a member has twenty connected calendars at most, however many are connected at the same time', async () => {
  const owner = await newOwner(app);
  const now = new Date().toISOString();
  for (let count = 0; count < 18; count += 1) {
    await storeRow(app, owner, 'scheduler_connections', {
      id: `ccon_${count}`,
      user_id: owner.user_id,
      provider: 'ics',
      account: 'calendar.example.com',
      account_key: `${count}`,
      status: 'active',
      created_at: now,
      updated_at: now,
    });
  }
  const connect = (name: string) =>
    owner.post('/scheduler/calendars/connect/ics', { url: `http://${NOBODY}/${name}.ics` });
  const first = await connect('first');
  assert.equal(first.status, 201, first.text);
  const replies = await Promise.all(['a', 'b', 'c', 'd'].map(connect));
  const codes = replies.map(({ status, body }) => body.code ?? status).toSorted();
  assert.deepEqual(codes, [201, 'in_use', 'in_use', 'in_use']);

  assert.equal((await connect('first')).status, 201, 'what is connected is renewed');
  const asked = await owner.post('/scheduler/calendars/connect/google', { return_to: '/settings' });
  const back = await google.consent(asked.body.authorization_url);
  const refused = await owner.get(back.replace('/api/v1', ''));
  assert.equal(refused.headers.get('location'), '/settings?calendar_error=in_use');

  const { id } = first.body.connection;
  assert.equal((await owner.post(`/scheduler/calendars/connections/${id}/disconnect`)).status, 200);
  assert.equal((await connect('another')).status, 201);
});
