import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { lettersAbout } from '../../support/letters.ts';
import { opened, signatureOf } from '../../support/opened-signing.ts';
import { newSender } from '../../support/signing.ts';
import { sentToGuests } from '../../support/signing-guests.ts';

const app = await startApp();
app.context.settings.embeddedDatabase = true;

const fields = [signatureOf('s1')];

test('of an access its hash alone is kept', async () => {
  const { guest, sender } = await opened(app);
  const token = guest.cookie.split('=')[1]!;
  const { organization_id } = sender.actor;
  const rows = await app.database.withConnection(organization_id, ({ query }) =>
    query<{ token_hash: string; text: string }>(
      'SELECT token_hash, row_to_json(access)::text AS text FROM sign_accesses AS access WHERE organization_id = $1',
      [organization_id],
    ),
  );
  assert.deepEqual(
    rows.map(({ token_hash }) => token_hash),
    [createHash('sha256').update(token).digest('hex')],
  );
  assert.ok(!rows[0]!.text.includes(token));
});

test('wrong codes are counted anew after the right one', async () => {
  const code = { access_code: '7Q4K-92' };
  const signers = [{ name: '田中 一郎', email: 'taro@example.jp', auth: 'access_code', ...code }];
  const { guests } = await sentToGuests(app, await newSender(app), { signers, fields });
  const wrong = async () => (await guests[0]!.open({ access_code: '7Q4K-93' })).body.attempts_left;
  assert.deepEqual([await wrong(), await wrong(), await wrong(), await wrong()], [4, 3, 2, 1]);
  assert.equal((await guests[0]!.open(code)).status, 200);
  assert.equal(await wrong(), 4);
});

test('a sender who has left is named no more, and gets no mail', async () => {
  const owner = await newSender(app);
  const sender = await owner.colleague();
  const signers = [{ name: '田中 一郎', email: 'taro@example.jp', auth: 'none' }];
  const { document, guests } = await sentToGuests(app, sender, { signers, fields });
  const [guest] = guests;
  const { sender_name, organization_name } = (await guest!.get()).body.signing;
  assert.notEqual(sender_name, organization_name);
  const invitation = async () => (await lettersAbout(app, 'sign.invitation', document.id))[0]!;
  assert.ok((await invitation()).reply_to);
  const { organization_id, user_id } = sender.actor;
  await app.database.withConnection(organization_id, ({ query }) =>
    query('UPDATE members SET left_at = now() WHERE organization_id = $1 AND user_id = $2', [
      organization_id,
      user_id,
    ]),
  );
  assert.equal((await guest!.get()).body.signing.sender_name, organization_name);
  assert.equal((await invitation()).reply_to, undefined);
  await guest!.open();
  assert.equal((await guest!.post('/decline', { reason: '条件が違います。' })).status, 200);
  assert.deepEqual(await lettersAbout(app, 'sign.decline', document.id), []);
});
