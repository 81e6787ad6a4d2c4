import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inWork } from '../../../../shared/db/in-work.ts';
import { systemActor } from '../../../../shared/kernel/reader.ts';
import type { Work } from '../../../../shared/kernel/work.ts';
import { secretKeysOf } from '../../../../shared/platform/secrets/keys.ts';
import { keepSecret, readSecret } from '../../../../shared/platform/secrets/store.ts';
import { turnSecrets } from '../../../../shared/platform/secrets/turn.ts';
import { startApp } from '../../../support/app.ts';

const app = await startApp();
const now = new Date();
const before = secretKeysOf({ secretsKey: 'the key of before, which is long enough' });
const turned = secretKeysOf({
  secretsKey: 'the key from now on, also long enough',
  previousSecretsKey: 'the key of before, which is long enough',
});
const after = { ...turned, earlier: [] };
const lost = secretKeysOf({ secretsKey: 'a key that nobody has any more, alas' });

/** More than are turned in one statement. */
const COUNT = 450;

async function inOrganization<T>(organization_id: string, run: (work: Work) => Promise<T>): Promise<T> {
  const who = { actor: systemActor, organization_id, now, request_id: null, ip_address: null };
  return app.database.withConnection(organization_id, (connection) =>
    inWork({ ...who, connection }, run, { may_change_nothing: true }),
  );
}

describe('the key of secrets', () => {
  test('is turned for all organizations; what no key opens stays as it is, and is counted', async () => {
    const offices = [await app.actor(), await app.actor()].map(({ actor }) => actor.organization_id);
    for (const organization_id of offices) {
      await inOrganization(organization_id, async (work) => {
        for (let n = 0; n < COUNT / 2; n++) {
          keepSecret(work, before, { purpose: 'tests', record_id: `record_${n}` }, `secret ${n}`);
        }
        keepSecret(work, lost, { purpose: 'tests', record_id: 'lost' }, 'lost');
        keepSecret(work, after, { purpose: 'tests', record_id: 'new' }, 'new');
      });
    }
    const turn = () => app.database.withConnection('*', (connection) => turnSecrets(connection, turned, now));
    assert.deepEqual(await turn(), { turned: COUNT, unreadable: 2 });
    assert.deepEqual(await turn(), { turned: 0, unreadable: 2 });
    for (const organization_id of offices) {
      await inOrganization(organization_id, async (work) => {
        const read = (record_id: string) => readSecret(work, after, { purpose: 'tests', record_id });
        assert.deepEqual(await read('record_7'), { state: 'readable', text: 'secret 7' });
        assert.deepEqual(await read('new'), { state: 'readable', text: 'new' });
        assert.deepEqual(await read('lost'), { state: 'unreadable' });
        assert.deepEqual(await read('of nobody'), { state: 'absent' });
      });
    }
  });
});
