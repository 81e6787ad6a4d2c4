import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { DrawingOrder } from '../../../../shared/sign/pdf/types.ts';
import { sha256Of } from '../../../../shared/sign/pki/certificates.ts';
import { readCms } from '../../../../shared/sign/pki/cms.ts';
import { placesNamedIn, signatureAt } from '../../../../shared/sign/sealing/placed.ts';
import { type Sealed, type Sealer, sealFile } from '../../../../shared/sign/sealing/sealed-file.ts';
import { StampFailure, stampAuthorityOf } from '../../../../shared/sign/sealing/stamping.ts';
import { pdfOfPages } from '../../../support/made-pdfs.ts';
import { signatureJudges } from '../../../support/pdf-signatures.ts';
import { testSealKey } from '../../../support/seal-keys.ts';
import { startStampAuthority } from '../../../support/stamp-authority.ts';

const judges = signatureJudges();
const own = await testSealKey();
const signal = new AbortController().signal;
const upload = pdfOfPages([{ text: 'Agreement of two' }, { text: 'Second page', rotate: 90 }]);
const certificate = pdfOfPages([{ text: 'Certificate' }]);
const attachment = {
  name: 'audit-trail-doc_1.json',
  description: 'Agreement',
  media_type: 'application/json',
  content: Buffer.from('{"head":"0"}'),
  at: '2026-12-01T01:23:45.678Z',
};
const field = (type: string) => ({
  id: `sfld_${type}`,
  type,
  page: 1,
  x: 0.1,
  y: 0.5,
  w: 0.3,
  h: 0.05,
  font_size: 10,
});
const drawing: DrawingOrder = {
  pdf: upload,
  fields: [field('text')],
  values: { sfld_text: '東京都港区' },
  is_signed: false,
  append: certificate,
  attachment,
};

describe('a sealed file', () => {
  let sealer: Sealer;
  let sealed: Sealed;
  before(async () => {
    sealer = { key: own.key, authority: null, stamp_required: true, now: new Date(), signal };
    sealed = await sealFile({ drawing, field: 'Seal_doc_1' }, sealer);
  });

  it('has one seal over all of it, in a field of its own, trusted with the authority', () => {
    const text = judges.pdfsig(sealed.bytes, judges.trusting(own.ca));
    assert.match(text, /Signature Field Name: Seal_doc_1\n/);
    assert.match(text, /Signature Type: ETSI\.CAdES\.detached/);
    assert.match(text, /Total document signed/);
    assert.match(text, /Signature Validation: Signature is Valid\./);
    assert.match(text, /Certificate Validation: Certificate is Trusted\./);
    assert.doesNotMatch(text, /Signature #2/);
  });

  it('holds for openssl, and is a sound PDF with the certificate behind and the trail attached', () => {
    const [place] = placesNamedIn(sealed.bytes);
    const padded = signatureAt(sealed.bytes, place!)!;
    const covered = Buffer.concat([
      sealed.bytes.subarray(0, place![1]),
      sealed.bytes.subarray(place![2], place![2] + place![3]),
    ]);
    assert.equal(judges.cmsVerify(padded.subarray(0, readCms(padded).size), covered, own.ca), 0);
    assert.match(judges.qpdf(sealed.bytes), /No syntax or stream encoding errors/);
    assert.equal(judges.attached(sealed.bytes), '{"head":"0"}');
    assert.equal(sealed.page_count, 3);
  });

  it('is little more than what it is made of', () => {
    assert.ok(
      sealed.bytes.length < upload.length + certificate.length + 200 * 1024,
      `${sealed.bytes.length}`,
    );
  });

  it('does not hold with a byte changed, nor covers what is appended', () => {
    const changed = Buffer.from(sealed.bytes);
    const at = changed.indexOf('/MediaBox') + '/MediaBox ['.length;
    changed[at] = changed[at] === 0x30 ? 0x31 : 0x30;
    assert.match(judges.pdfsig(changed), /Digest Mismatch/);
    const appended = Buffer.concat([sealed.bytes, Buffer.from('% a line\n')]);
    assert.match(judges.pdfsig(appended), /Not total document signed/);
  });

  it('keeps the seal of an upload that was sealed before: not one byte of it is changed', async () => {
    const whole = { ...drawing, pdf: sealed.bytes, append: null, attachment: null, is_signed: true };
    const second = await sealFile({ drawing: whole, field: 'Seal_doc_2' }, sealer);
    assert.ok(second.bytes.subarray(0, sealed.bytes.length).equals(sealed.bytes));
    const text = judges.pdfsig(second.bytes);
    assert.equal(text.match(/Signature is Valid/g)?.length, 2);
    assert.match(text, /Signature #2:\n.*Seal_doc_2/);
    assert.equal(second.page_count, sealed.page_count);
  });

  it('is stamped by an authority, as PAdES B-LTA: the stamp covers all, the seal what it sealed', async () => {
    const stamps = await startStampAuthority();
    const authority = stampAuthorityOf({ ...own.settings, signTsaUrl: stamps.url })!;
    const stamped = await sealFile({ drawing, field: 'Seal_doc_1' }, { ...sealer, authority });
    assert.equal(stamps.given, 2);
    const text = judges.pdfsig(stamped.bytes);
    assert.match(text, /Signature #1:(?:(?!Signature #2)[\s\S])*Signature is Valid/);
    assert.match(text, /Signature #2:[\s\S]*Total document signed/);
    assert.match(judges.qpdf(stamped.bytes), /No syntax or stream encoding errors/);
    assert.match(stamped.bytes.toString('latin1'), /\/DSS/);

    stamps.refuses = 503;
    await assert.rejects(sealFile({ drawing, field: 'Seal_doc_1' }, { ...sealer, authority }), StampFailure);
    const bare = await sealFile(
      { drawing, field: 'Seal_doc_1' },
      { ...sealer, authority, stamp_required: false },
    );
    assert.equal(bare.stamp, null);
    assert.match(judges.pdfsig(bare.bytes), /Total document signed/);
  });

  it('has no stamp of an authority whose certificate has ended', async () => {
    const stamps = await startStampAuthority({ days: -1 });
    const authority = stampAuthorityOf({ ...own.settings, signTsaUrl: stamps.url })!;
    await assert.rejects(sealFile({ drawing, field: 'Seal_doc_1' }, { ...sealer, authority }), StampFailure);
  });

  it('keeps what its issuer revoked, and nothing else that is answered in the place of it', async () => {
    const stamps = await startStampAuthority();
    const authority = stampAuthorityOf({ ...own.settings, signTsaUrl: stamps.url })!;
    const listsIn = async () => {
      const { bytes } = await sealFile({ drawing, field: 'Seal_doc_1' }, { ...sealer, authority });
      return bytes.toString('latin1').match(/\/CRLs ?\[[^\]]+\]/g);
    };
    assert.equal((await listsIn())?.length, 1);
    const { list } = stamps;
    const others = (await startStampAuthority()).list;
    for (const answer of [Buffer.from('<html>no list</html>'), others, Buffer.concat([list, list])]) {
      stamps.list = answer;
      assert.equal(await listsIn(), null);
    }
  });

  it('is another file at every try', async () => {
    const other = await sealFile({ drawing, field: 'Seal_doc_1' }, sealer);
    assert.notEqual(sha256Of(other.bytes), sha256Of(sealed.bytes));
  });
});
