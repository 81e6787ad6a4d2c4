import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failSeal, noteSealAttempt, settleSeal } from '../../../shared/sign/sealing/operations.ts';
import { startApp } from '../../support/app.ts';
import { inOrganization, pendingSeal } from '../../support/pending-seals.ts';
import { testSealKey } from '../../support/seal-keys.ts';
import { sealedFile } from '../../support/sealed-documents.ts';

const app = await startApp();
const { key } = await testSealKey();
const { signal } = new AbortController();

test('a try to seal that ends after another one has sealed changes nothing, however it ends', async () => {
  const { actor, get } = await app.actor();
  const { organization_id } = actor;
  const id = await pendingSeal({ database: app.database, storage: app.context.storage }, actor);
  const now = new Date();
  const sealer = { key, authority: null, stamp_required: true, now, signal };
  await sealedFile(app, { organization_id, id, sealer });
  const mails = () =>
    app.database.withConnection(organization_id, ({ query }) =>
      query('SELECT kind FROM sign_mails WHERE organization_id = $1', [organization_id]),
    );
  const document = async () => (await get(`/sign/documents/${id}`)).body;
  const before = { document: await document(), mails: await mails() };
  assert.equal(before.document.document.status, 'signed');
  const late = { files: [], key, sealed_at: now, timestamp_at: null, renew_at: null };
  await inOrganization(app, { organization_id }, (work) => settleSeal(work, id, late));
  const note = { error: 'stamp_failed', next_at: null };
  await inOrganization(app, { organization_id }, (work) => noteSealAttempt(work, id, note));
  await inOrganization(app, { organization_id }, (work) => failSeal(work, id));
  assert.deepEqual({ document: await document(), mails: await mails() }, before);
});
