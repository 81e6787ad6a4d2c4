import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { faultsIn } from '../../support/facts.ts';
import { idOf, opened, signatureOf } from '../../support/opened-signing.ts';
import { newSender } from '../../support/signing.ts';

const app = await startApp();
app.context.settings.embeddedDatabase = true;

test('what a guest has entered is in no document that follows theirs', async () => {
  const { guest, sender, document } = await opened(app);
  const saved = await guest.put(`/fields/${await idOf(guest, 'address')}`, { value: '東京都港区' });
  assert.equal(saved.status, 200, saved.text);
  const made = await sender.post('/sign/documents', {
    title: '契約書（二通目）',
    source: { type: 'document', id: document.id },
  });
  assert.equal(made.status, 201, made.text);
  const values = made.body.document.fields.map((field: { key: string; value: unknown }) => [
    field.key,
    field.value,
  ]);
  assert.deepEqual(new Map(values).get('address'), null);
  assert.deepEqual(new Map(values).get('fixed'), '固定');
});

test('a signer whom the document that is followed does not have is refused at their key', async () => {
  const sender = await newSender(app);
  const template = await sender.draft({ signers: [{ key: 'client' }], fields: [signatureOf('client')] });
  const source = { type: 'document', id: template.id };
  const signers = [
    { key: 'client', name: '田中 一郎' },
    { key: 'landlord', name: '鈴木 次郎' },
  ];
  const { status, body } = await sender.post('/sign/documents', { title: '契約書', source, signers });
  assert.deepEqual([status, faultsIn(body)], [422, ['/signers/1/key unknown_reference']]);
});
