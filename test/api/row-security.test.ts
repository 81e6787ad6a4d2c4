import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { isJudged } from '../support/row-security.ts';

test('the judged run would notice a query that forgets its organization', { skip: !isJudged }, async () => {
  const app = await startApp();
  const one = await app.actor();
  const other = await app.actor();
  await one.post('/crm/contacts', { first_name: 'A', last_name: 'B' });
  const seen = await app.database.withConnection(other.actor.organization_id, ({ query }) =>
    query('SELECT id FROM crm_contacts'),
  );
  assert.deepEqual(seen, []);
  const own = await app.database.withConnection(one.actor.organization_id, ({ query }) =>
    query('SELECT id FROM crm_contacts'),
  );
  assert.equal(own.length, 1);
});
