import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Verified, verifiedPart } from '../../../../api/sign/pages/verified.ts';
import { verifyWords } from '../../../../api/sign/pages/verify-words.ts';

type Signature = Verified['signatures'][number];

const signature: Signature = {
  subject: 'Somebody',
  is_service_seal: false,
  digest_ok: true,
  covers_whole_file: true,
  level: null,
  signing_time: null,
  timestamp_at: null,
};

const found: Verified = { result: 'unknown', sha256: null, document: null, signatures: [], trail: null };

/** The first line of what the page tells of a signature. */
function toldOf(language: 'ja' | 'en', changes: Partial<Signature>): string {
  const verified = { ...found, signatures: [{ ...signature, ...changes }] };
  const page = verifiedPart(language, verified, { by: 'file' });
  const told = /<dd>(.*?)<br>/.exec(page)![1]!;
  return told.replaceAll(/<[^>]*>/g, '');
}

for (const language of ['ja', 'en'] as const) {
  const { our_seal, other_signature } = verifyWords[language];

  test(`whose a signature is stands before what its certificate says of itself (${language})`, () => {
    assert.equal(toldOf(language, {}), `${other_signature} · Somebody`);
    const claiming = `${our_seal} · Business Operations Service seal`;
    assert.equal(toldOf(language, { subject: claiming }), `${other_signature} · ${claiming}`);
    assert.equal(toldOf(language, { is_service_seal: true, level: 'B-B' }), `${our_seal} · Somebody · B-B`);
  });
}
