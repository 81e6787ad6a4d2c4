import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { transaction } from '../../../shared/db/transaction.ts';
import { startApp } from '../../support/app.ts';
import type { Reply } from '../../support/client.ts';
import { untilWaiting } from '../../support/meanwhile.ts';
import { newSender, type Sender } from '../../support/signing.ts';
import { sentToGuests, type TestGuest } from '../../support/signing-guests.ts';

const app = await startApp();
app.context.settings.embeddedDatabase = true;

type Asked = { sender: Sender; guest: TestGuest; path: string };

async function asked(auth: string): Promise<Asked> {
  const sender = await newSender(app);
  const signers = [{ name: '田中 一郎', email: 'taro@example.jp', auth }];
  const { document, guests } = await sentToGuests(app, sender, { signers });
  return { sender, guest: guests[0]!, path: `/sign/documents/${document.id}` };
}

/** Calls by a link that has been found, while the signer is replaced who it is for. */
async function whileReplaced({ sender, guest, path }: Asked, call: () => Promise<Reply>): Promise<Reply> {
  const { organization_id } = sender.actor;
  const person = { name: '鈴木 次郎', email: 'jiro@example.jp' };
  const replacing = app.database.withConnection(organization_id, (connection) =>
    transaction(connection, async () => {
      await connection.query('SELECT FROM sign_documents WHERE organization_id = $1 FOR UPDATE', [
        organization_id,
      ]);
      const replaced = sender.post(`${path}/signers/${guest.signer_id}/replace`, person);
      await waiting(organization_id, 1);
      const called = call();
      await waiting(organization_id, 2);
      return { replaced, called };
    }),
  );
  const { replaced, called } = await replacing;
  assert.equal((await replaced).status, 200);
  return called;
}

function waiting(organization_id: string, count: number): Promise<unknown> {
  const query = (text: string) =>
    app.database.withConnection(organization_id, (connection) => connection.query(text));
  return untilWaiting({ query } as Parameters<typeof untilWaiting>[0], count);
}

describe('a link that ends while it is called', () => {
  it('opens nothing any more, and says nothing in the name of who signs now', async () => {
    const one = await asked('none');
    const { status, body, headers } = await whileReplaced(one, () => one.guest.post('/access', {}));
    assert.deepEqual([status, body.code, headers.getSetCookie()], [404, 'not_found', []]);
    const { items } = (await one.sender.get(`${one.path}/events`)).body;
    const types = items.map(({ type }: { type: string }) => type);
    assert.deepEqual(types, ['sent', 'invited', 'replaced', 'invited']);
    assert.equal((await one.sender.get(one.path)).body.document.signers[0].status, 'notified');
  });

  it('asks for no code to who signs now', async () => {
    const one = await asked('email_otp');
    const { status } = await whileReplaced(one, () => one.guest.post('/otp'));
    assert.equal(status, 404);
    const { organization_id } = one.sender.actor;
    const codes = await app.database.withConnection(organization_id, ({ query }) =>
      query('SELECT FROM sign_codes WHERE organization_id = $1', [organization_id]),
    );
    assert.equal(codes.length, 0);
  });
});
