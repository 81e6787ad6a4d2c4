import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { test } from 'node:test';
import { systemActor } from '../../../shared/kernel/reader.ts';
import { dkimSignerOf } from '../../../shared/mail/settings/dkim-keys.ts';
import { secretKeysOf, secretsKeyFrom } from '../../../shared/platform/secrets/keys.ts';
import { startApp } from '../../support/app.ts';

const app = await startApp();

const PATH = '/mail/settings/dkim-keys';

test('a key is told with its place in the DNS, its private part to nobody', async () => {
  const client = await app.actor();
  const made = await client.post(PATH, { domain: 'Yamada.Example', selector: 's1' });
  assert.equal(made.status, 201, made.text);
  const { dkim_key } = made.body;
  assert.deepEqual(Object.keys(dkim_key).toSorted(), [
    'created_at',
    'dns_name',
    'dns_value',
    'domain',
    'selector',
  ]);
  assert.equal(dkim_key.dns_name, 's1._domainkey.yamada.example');
  const der = Buffer.from(/^v=DKIM1; k=rsa; p=(.+)$/.exec(dkim_key.dns_value)![1]!, 'base64');
  const public_key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  assert.equal(public_key.asymmetricKeyDetails?.modulusLength, 2048);
  const { settings } = (await client.get('/mail/settings')).body;
  assert.deepEqual(settings.dkim_keys, [dkim_key]);
  assert.doesNotMatch(made.text + JSON.stringify(settings), /PRIVATE/);
  const log = await client.get('/mail/audit-logs');
  assert.doesNotMatch(log.text, /PRIVATE/);
});

test('an address of its domain may send, and once it is deleted no longer', async () => {
  const client = await app.actor();
  const campaign = { name: '春', from_email: 'news@other.example' };
  assert.equal((await client.post('/mail/campaigns', campaign)).status, 422);
  await client.post(PATH, { domain: 'other.example', selector: 's1' });
  assert.equal((await client.post('/mail/campaigns', campaign)).status, 201);
  assert.equal((await client.delete(`${PATH}/s1`)).status, 200);
  assert.equal((await client.post('/mail/campaigns', campaign)).status, 422);
  assert.equal((await client.delete(`${PATH}/s1`)).status, 404);
});

test('what cannot be is refused at its path; a selector is there once, and 20 in all', async () => {
  const client = await app.actor();
  for (const [body, path] of [
    [{ domain: 'nowhere', selector: 's1' }, '/domain'],
    [{ domain: 'a.example;', selector: 's1' }, '/domain'],
    [{ domain: 'a.example', selector: 'a.b' }, '/selector'],
    [{ domain: 'a.example', selector: 'A' }, '/selector'],
  ] as const) {
    const reply = await client.post(PATH, body);
    assert.deepEqual([reply.status, reply.body.errors?.[0].path], [422, path], reply.text);
  }
  await client.post(PATH, { domain: 'a.example', selector: 's1' });
  const again = await client.post(PATH, { domain: 'b.example', selector: 's1' });
  assert.deepEqual([again.status, again.body.errors[0].path], [409, '/selector']);
});

test('mails of a domain are signed with its newest key, and not at all where it cannot be decrypted', async () => {
  const client = await app.actor();
  for (const selector of ['s1', 's2']) await client.post(PATH, { domain: 'a.example', selector });
  const signerOf = (settings: Parameters<typeof secretKeysOf>[0], domain: string) =>
    app.database.withConnection(client.actor.organization_id, (connection) =>
      dkimSignerOf(
        {
          connection,
          organization_id: client.actor.organization_id,
          actor: systemActor,
          now: new Date(),
          request_id: null,
          ip_address: null,
        },
        secretKeysOf(settings),
        domain,
      ),
    );
  const secretsKey = secretsKeyFrom('a secret of the tests, long enough');
  const signer = await signerOf({ secretsKey }, 'a.example');
  assert.equal(signer?.selector, 's2');
  assert.match(signer.private_key, /^-----BEGIN PRIVATE KEY-----/);
  assert.equal(await signerOf({ secretsKey: 'of nobody' }, 'a.example'), null);
  assert.equal(await signerOf({ secretsKey }, 'b.example'), null);
});
