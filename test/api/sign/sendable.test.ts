import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startApp } from '../../support/app.ts';
import { faultsIn } from '../../support/facts.ts';
import { lettersAbout } from '../../support/letters.ts';
import { opened } from '../../support/opened-signing.ts';
import { newSender } from '../../support/signing.ts';

const app = await startApp();
app.context.settings.embeddedDatabase = true;

const box = { signer: 's1', page: 1, x: 0.1, w: 0.3, h: 0.05 };
const signature = { ...box, y: 0.8, type: 'signature' };
const text = (value: string) => ({ ...box, y: 0.1, type: 'text', value, read_only: true });

describe('what the sender fills in', () => {
  it('is drawn when all have signed, so what cannot be keeps the document from being sent', async () => {
    const sender = await newSender(app);
    const signers = [
      { name: '佐藤 花子', email: 'hanako@example.jp' },
      { name: '鈴木 一郎', email: 'ichiro@example.jp' },
    ];
    const small = { w: 0.02, h: 0.003 };
    const fields = [
      signature,
      text('😀'),
      { ...text('長い値'.repeat(50)), ...small },
      { ...box, y: 0.3, type: 'date', ...small },
      text('収まる値'),
      { ...box, y: 0.5, type: 'text', signer: 's2' },
    ];
    const draft = await sender.draft({ signers: [signers[0], { ...signers[1], role: 'approver' }], fields });
    const path = `/sign/documents/${draft.id}`;
    const [one, other] = draft.signers;
    const copied = await sender.patch(path, { signers: [{ id: one.id }, { id: other.id, role: 'cc' }] });
    assert.equal(copied.status, 200, copied.text);
    const refused = await sender.post(`${path}/send`);
    assert.equal(refused.status, 422);
    assert.deepEqual(faultsIn(refused.body), [
      '/fields/1/value bad_characters',
      '/fields/2/value does_not_fit',
      '/fields/3/w does_not_fit',
      '/fields/5/signer not_allowed',
    ]);
  });

  it('has whole images, in all ways in which it comes', async () => {
    const sender = await newSender(app);
    const broken = { ...text(''), type: 'stamp', value: { kind: 'image', data: 'iVBORw0KGgoAAAA=' } };
    const fault = ['/fields/1/value broken_image'];
    const fields = [signature, broken];
    assert.deepEqual(faultsIn((await sender.upload({ title: '契約書', fields })).body), fault);
    assert.deepEqual(
      faultsIn((await sender.post('/sign/documents', { title: '契約書', fields })).body),
      fault,
    );
    const draft = await sender.draft();
    assert.deepEqual(faultsIn((await sender.patch(`/sign/documents/${draft.id}`, { fields })).body), fault);
  });
});

describe('who signs in the place of somebody else', () => {
  it('gets one invitation, also where that of the one before had not left', async () => {
    const { sender, document } = await opened(app);
    const [{ id }] = document.signers;
    const person = { name: '鈴木 一郎', email: 'ichiro@example.jp' };
    const replaced = await sender.post(`/sign/documents/${document.id}/signers/${id}/replace`, person);
    assert.equal(replaced.status, 200, replaced.text);
    const letters = await lettersAbout(app, 'sign.invitation', document.id);
    assert.deepEqual(
      letters.map(({ to }) => to[0]!.address),
      [person.email],
    );
  });
});

describe('an erased document', () => {
  it('leaves nothing in its mails', async () => {
    const { sender, document, guest } = await opened(app, { allow_forward: true });
    const forwarded = await guest.post('/forward', { name: '鈴木 一郎', email: 'ichiro@example.jp' });
    assert.equal(forwarded.status, 200, forwarded.text);
    const path = `/sign/documents/${document.id}`;
    assert.equal((await sender.post(`${path}/cancel`, { reason: '条件が変わりました。' })).status, 200);
    assert.equal((await sender.delete(path)).status, 200);
    const left = await app.database.withConnection(sender.actor.organization_id, ({ query }) =>
      query(`SELECT FROM sign_mails WHERE document_id = $1 AND told <> '{}'`, [document.id]),
    );
    assert.deepEqual(left, []);
  });

  it('is left out of the total, as a deleted draft is', async () => {
    const { sender, document } = await opened(app);
    const draft = await sender.draft();
    const path = `/sign/documents/${document.id}`;
    const totals = async () => {
      const all = await sender.get('/sign/documents');
      const since = await sender.get('/sign/documents?created_after=2000-01-01T00:00:00Z');
      assert.equal(since.body.total, all.body.total, 'the count says what the ledger says');
      return all.body.total;
    };
    assert.equal(await totals(), 2);
    assert.equal((await sender.post(`${path}/cancel`, { reason: '条件が変わりました。' })).status, 200);
    assert.equal(await totals(), 2);
    assert.equal((await sender.delete(path)).status, 200);
    assert.equal(await totals(), 1);
    assert.equal((await sender.delete(`/sign/documents/${draft.id}`)).status, 200);
    assert.equal(await totals(), 0);
  });
});
