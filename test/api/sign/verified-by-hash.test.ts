import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256Of } from '../../../shared/sign/pki/certificates.ts';
import { startApp } from '../../support/app.ts';
import { pdfOfPages } from '../../support/made-pdfs.ts';
import { pendingSeal } from '../../support/pending-seals.ts';
import { formOf, newSender } from '../../support/signing.ts';

const app = await startApp();
const sender = await newSender(app);
const upload = pdfOfPages([{ text: 'Agreement' }]);
const id = await pendingSeal({ database: app.database, storage: app.context.storage }, sender.actor, {
  pdf: upload,
  pages: 1,
});

const ask = async (body: object) => (await app.anonymous.post('/sign/verify', body)).body.verification;

test('the hash of an upload that was sent is that of an original; of a draft nobody is told', async () => {
  const sent = await ask({ sha256: sha256Of(upload) });
  assert.deepEqual([sent.result, sent.document.id, sent.trail.ok], ['original', id, true]);
  const drafted = pdfOfPages([{ text: 'A draft' }]);
  assert.equal((await sender.post('/sign/documents', formOf(drafted, { title: '覚書' }))).status, 201);
  const draft = await ask({ sha256: sha256Of(drafted) });
  assert.deepEqual([draft.result, draft.document, draft.trail], ['unknown', null, null]);
});

test('a hash of a trail is that of its own document alone', async () => {
  const { head } = (await sender.get(`/sign/documents/${id}`)).body.document.trail;
  assert.equal((await ask({ document_id: id, head })).result, 'valid');
  const other = await sender.draft();
  assert.equal((await ask({ document_id: other.id, head })).result, 'unknown');
});

test('an address has a tenth of the requests of a credential, whatever it has verified: 429', async () => {
  const { settings } = app.context;
  settings.rateLimitPerMinute = 20;
  const by_hash = () => app.anonymous.post('/sign/verify', { sha256: sha256Of(upload) });
  const by_file = () => app.anonymous.post('/sign/verify', formOf(Buffer.from('a text'), null));
  const answers = [await by_hash(), await by_file(), await by_hash(), await by_file()];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 415, 429, 429],
  );
  const refused = answers[2]!;
  assert.equal(refused.body.code, 'rate_limited');
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  const { status } = await sender.get(`/sign/documents/${id}`);
  assert.equal(status, 200, 'who has a credential has requests of their own');
});
