import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256Of } from '../../../shared/sign/pki/certificates.ts';
import { startApp } from '../../support/app.ts';
import { pendingSeal } from '../../support/pending-seals.ts';
import { testSealKey } from '../../support/seal-keys.ts';
import { sealedFile } from '../../support/sealed-documents.ts';
import { guestOf } from '../../support/signing-guests.ts';

const app = await startApp();

test('the sealed file is there for who signed, and for who only gets the copy, who had no turn before', async () => {
  const { actor, get } = await app.actor();
  const { organization_id } = actor;
  const copy = { role: 'cc', status: 'waiting', signed_at: null, viewed_at: null } as const;
  const signers = [{ auth: 'none' as const }, { auth: 'none' as const, ...copy }];
  const where = { database: app.database, storage: app.context.storage };
  const id = await pendingSeal(where, actor, { signers });
  const path = `/sign/documents/${id}`;
  const [signer, reader] = (await get(path)).body.document.signers;
  const guest = await guestOf(app, organization_id, reader.id);
  const early = await guest.open();
  assert.deepEqual([early.status, early.body.code], [409, 'not_your_turn']);

  const { key } = await testSealKey();
  const { signal } = new AbortController();
  const sealer = { key, authority: null, stamp_required: true, now: new Date(), signal };
  const file = await sealedFile(app, { organization_id, id, sealer });
  const { document } = (await get(path)).body;
  assert.deepEqual(
    document.signers.map(({ status }: { status: string }) => status),
    ['signed', 'notified'],
  );
  for (const each of [guest, await guestOf(app, organization_id, signer.id)]) {
    const opened = await each.open();
    assert.deepEqual([opened.status, opened.body.signing.status], [200, 'signed'], opened.text);
    assert.equal((await each.get('/pdf')).headers.get('content-length'), String(file.length));
    const refused = await each.post('/decline', { reason: 'x' });
    assert.deepEqual([refused.status, refused.body.code], [409, 'invalid_transition']);
  }
  const { items } = (await get(`${path}/events?type=downloaded`)).body;
  assert.deepEqual(
    items.map(({ data }: { data: object }) => data),
    [reader, signer].map((each) => ({ signer_id: each.id, version: 'signed', sha256: sha256Of(file) })),
  );
});
