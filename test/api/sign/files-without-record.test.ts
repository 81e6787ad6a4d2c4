import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawForSeal } from '../../../shared/sign/pdf/draw.ts';
import { sealFile } from '../../../shared/sign/sealing/sealed-file.ts';
import { stampAuthorityOf, stampFile } from '../../../shared/sign/sealing/stamping.ts';
import type { Verification } from '../../../shared/sign/verifying/record.ts';
import { startApp } from '../../support/app.ts';
import { pdfOfPages } from '../../support/made-pdfs.ts';
import { pendingSeal } from '../../support/pending-seals.ts';
import { testSealKey } from '../../support/seal-keys.ts';
import { sealedFile } from '../../support/sealed-documents.ts';
import { startStampAuthority } from '../../support/stamp-authority.ts';

const app = await startApp();
const { key, settings } = await testSealKey();
const { signal } = new AbortController();
const sealer = { key, authority: null, stamp_required: true, now: new Date(), signal };
const upload = pdfOfPages([{ text: 'Agreement' }]);
const actor = await app.actor();
const { organization_id } = actor.actor;

const verified = async (file: Buffer): Promise<Verification> => {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(file)], { type: 'application/pdf' }), 'contract.pdf');
  const { status, body } = await app.anonymous.post('/sign/verify', form);
  assert.equal(status, 200, JSON.stringify(body));
  return body.verification;
};

const codes = ({ reasons }: Verification) => reasons.map(({ code }) => code);

const sealed = async (pending: { signers?: object[] } = {}) => {
  const id = await pendingSeal(
    { database: app.database, storage: app.context.storage },
    actor.actor,
    pending,
  );
  return { id, file: await sealedFile(app, { organization_id, id, sealer }) };
};

describe('verifying a sealed file of which there is no record', () => {
  it('of an erased document it tells how many were to sign, and nothing else', async () => {
    const { id, file } = await sealed({ signers: [{}, {}] });
    const { head } = (await verified(file)).trail!;
    await app.database.withConnection(organization_id, ({ query }) =>
      query("UPDATE sign_documents SET retention_until = '2020-01-01' WHERE id = $1", [id]),
    );
    assert.equal((await actor.delete(`/sign/documents/${id}`)).status, 200);
    const { body } = await app.anonymous.post('/sign/verify', { document_id: id, head });
    assert.partialDeepStrictEqual(body.verification, { result: 'valid', document: { id, signer_count: 2 } });
    assert.equal((await verified(file)).result, 'unlisted');
  });

  it('finds a stamped one unlisted whose record has gone, and modified where more stands before the stamps', async () => {
    const { url } = await startStampAuthority();
    const authority = stampAuthorityOf({ ...settings, signTsaUrl: url })!;
    const stamp = async (pdf: Buffer, field: string) =>
      (await stampFile(authority, { file: pdf, field, certificates: [] }, signal)).bytes;
    // Its certificate has sealed before.
    await sealed();
    const drawing = { pdf: upload, fields: [], values: {}, is_signed: false, append: null, attachment: null };
    const alone = await sealFile({ drawing, field: 'Seal_doc_x' }, { ...sealer, authority });
    const renewed = await stamp(alone.bytes, 'Seal_doc_x_stamp_2');
    for (const stamped of [alone.bytes, renewed]) {
      const found = await verified(stamped);
      assert.deepEqual([found.result, codes(found), found.document], ['unlisted', [], null]);
    }
    const box = { id: 'sfld_x', type: 'text', page: 1, x: 0.1, y: 0.5, w: 0.3, h: 0.05, font_size: 10 };
    const added = { ...drawing, pdf: alone.bytes, fields: [box], values: { sfld_x: 'x' }, is_signed: true };
    const changed = await stamp(await drawForSeal(added), 'Seal_doc_x_stamp_2');
    const found = await verified(changed);
    assert.deepEqual([found.result, codes(found)], ['modified', ['appended']]);
    assert.ok(found.signatures.every(({ digest_ok }) => digest_ok));
  });
});
