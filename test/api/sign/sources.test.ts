import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newOffice } from '../../support/cloud.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';
import { blankPdf, formOf, newSender, oneSigner } from '../../support/signing.ts';

const app = await startApp();
app.context.settings.embeddedDatabase = true;

const PATH = '/sign/documents';

const from = (id: string) => ({ title: '契約書', ...oneSigner, source: { type: 'cloud_file', id } });

test('a file of the cloud is copied by who sees it there; another one is unknown', async () => {
  const office = await newOffice(app);
  const { organization_id } = office;
  const folder = await office.folder('契約');
  const given = await office.colleague();
  const grants = [{ type: 'user', id: given.user_id, role: 'viewer' }];
  const restricted = await office.put(`/cloud/folders/${folder.id}/access`, {
    mode: 'restricted',
    grants,
  });
  assert.equal(restricted.status, 200, restricted.text);
  const file = await office.file('契約書.pdf', blankPdf(3), folder.id);
  const made = await given.post(PATH, from(file.id));
  assert.equal(made.status, 201, made.text);
  const { document } = made.body;
  assert.deepEqual([document.file.page_count, document.file.file_name], [3, '契約書.pdf']);
  assert.equal((await office.delete(`/cloud/files/${file.id}`)).status, 200);
  const copy = await given.get(`${PATH}/${document.id}/pdf`);
  assert.equal(copy.status, 200, 'the copy stays');

  const second = await office.file('覚書.pdf', blankPdf(1), folder.id);
  const member = await newSender(app, { organization_id, role: 'member' });
  const unseen = await member.post(PATH, from(second.id));
  assert.deepEqual([unseen.status, faultsIn(unseen.body)], [422, ['/source/id unknown_reference']]);
  const without = await newSender(app, { organization_id, scopes: ['sign:read', 'sign:write'] });
  const refused = await without.post(PATH, from(second.id));
  assert.deepEqual([refused.status, refused.body.required_scope], [403, 'cloud:read']);
  const text = await office.file('memo.txt', 'a text', folder.id);
  assert.equal((await office.post(PATH, from(text.id))).status, 415);
});

test('a file of the cloud whose bytes the store has lost is 503', async () => {
  const office = await newOffice(app);
  const lost = await office.lost('契約書.pdf', blankPdf());
  const sender = await newSender(app, { organization_id: office.organization_id });
  const reply = await sender.post(PATH, from(lost.id));
  assert.deepEqual([reply.status, reply.headers.get('retry-after')], [503, '3600'], reply.text);
  assert.match(reply.body.detail, /missing from the store/);
});

test('send with the creation sends it, and makes nothing of what cannot be sent', async () => {
  const sender = await newSender(app);
  const { organization_id } = sender.actor;
  const files = () =>
    app.database.withConnection(organization_id, ({ query }) =>
      query('SELECT FROM files WHERE organization_id = $1', [organization_id]),
    );
  const told = await toldBy(app, organization_id, async () => {
    const refused = await sender.post(
      PATH,
      formOf(blankPdf(), { title: '契約書', ...oneSigner, signers: [{ name: '佐藤 花子' }], send: true }),
    );
    assert.deepEqual([refused.status, refused.body.code], [422, 'not_sendable'], refused.text);
    const without = await sender.post(PATH, { title: '契約書', ...oneSigner, send: true });
    assert.deepEqual([without.status, faultsIn(without.body)], [422, ['/file required']]);
    app.context.settings.embeddedDatabase = false;
    const keyless = await sender.post(
      PATH,
      formOf(blankPdf(), { title: '契約書', ...oneSigner, send: true }),
    );
    app.context.settings.embeddedDatabase = true;
    assert.deepEqual([keyless.status, keyless.body.code], [409, 'seal_key_missing']);
  });
  assert.deepEqual(told, { events: [], audit: [] });
  assert.deepEqual(await files(), []);
  assert.deepEqual((await sender.get(PATH)).body.items, []);

  const made = await sender.post(PATH, formOf(blankPdf(), { title: '契約書', ...oneSigner, send: true }));
  assert.equal(made.status, 201, made.text);
  const { document } = made.body;
  assert.deepEqual([document.status, document.signers[0].status], ['sent', 'notified']);
});
