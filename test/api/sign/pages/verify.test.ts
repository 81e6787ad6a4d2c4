import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { inCheckPlace } from '../../../../shared/sign/verifying/places.ts';
import { startApp } from '../../../support/app.ts';
import { textOf } from '../../../support/booking-site.ts';
import { type PageReply, visitor } from '../../../support/forms.ts';
import { pdfOfPages } from '../../../support/made-pdfs.ts';
import { pendingSeal } from '../../../support/pending-seals.ts';
import { testSealKey } from '../../../support/seal-keys.ts';
import { sealedFile } from '../../../support/sealed-documents.ts';

const app = await startApp();
const { actor, get } = await app.actor();
const { key } = await testSealKey();
const sealer = {
  key,
  authority: null,
  stamp_required: true,
  now: new Date(),
  signal: new AbortController().signal,
};
const upload = pdfOfPages([{ text: 'Agreement' }]);

/** A file as a browser sends it from the page. */
function chosen(file: Buffer): FormData {
  const form = new FormData();
  form.append('by', 'file');
  form.append('file', new Blob([new Uint8Array(file)], { type: 'application/pdf' }), '契約書.pdf');
  return form;
}

const sent = (file: Buffer, lang = 'ja') => visitor(app).send(`/verify?lang=${lang}`, chosen(file));
const resultOf = ({ html }: PageReply) => /<h2 id="result">([^<]*)</.exec(html)?.[1];

describe('the page that verifies', () => {
  let id: string;
  let file: Buffer;
  before(async () => {
    const where = { database: app.database, storage: app.context.storage };
    id = await pendingSeal(where, actor, { pdf: upload, pages: 1 });
    file = await sealedFile(app, { organization_id: actor.organization_id, id, sealer });
  });

  test('200: finds a sealed file valid, and tells no title, name or address', async () => {
    const reply = await sent(file);
    assert.equal(reply.status, 200, reply.html);
    assert.equal(resultOf(reply), '有効です');
    const text = textOf(reply);
    assert.match(text, /当サービスの電子署名/);
    assert.match(text, new RegExp(id));
    assert.doesNotMatch(reply.html, /業務委託契約書|署名者1|@example/);
  });

  test('200: one with a byte changed, and one with a line more, are modified', async () => {
    const changed = Buffer.from(file);
    const at = changed.indexOf('/MediaBox') + '/MediaBox ['.length;
    changed[at] = changed[at] === 0x30 ? 0x31 : 0x30;
    const first = await sent(changed);
    assert.equal(resultOf(first), '変更されています');
    assert.match(textOf(first), /署名された内容が変わっています/);
    const second = await sent(Buffer.concat([file, Buffer.from('% a line\n')]), 'en');
    assert.equal(resultOf(second), 'Changed');
    assert.match(textOf(second), /Something was added after it/);
  });

  test('200: what the code of a certificate leads to', async () => {
    const { head } = (await get(`/sign/documents/${id}`)).body.document.trail;
    const at = (hash: string) => visitor(app).get(`/verify?lang=ja&document_id=${id}&head=${hash}`);
    const found = await at(head);
    assert.equal(resultOf(found), '有効です');
    // A certificate shows an earlier hash than the record has by now: both are told.
    const [{ hash }] = (await get(`/sign/documents/${id}/events?limit=1`)).body.items;
    const printed = textOf(await at(hash));
    assert.match(printed, new RegExp(`証明書に記載されたハッシュ\\s*${hash}`));
    assert.match(printed, new RegExp(`現在の鎖の先頭\\s*${head}`));
    // The other language shows the same.
    assert.match(found.html, new RegExp(`href="/verify[^"]*lang&#61;en[^"]*head&#61;${head}`));
    assert.equal(resultOf(await at('0'.repeat(64))), '確認できません');
    assert.equal(resultOf(await at('no-hash')), undefined);
  });

  test('422: what is no PDF, and no hash', async () => {
    const none = new FormData();
    none.append('by', 'file');
    assert.match(textOf(await visitor(app).send('/verify?lang=ja', none)), /PDFファイルを選択してください/);
    const hash = await visitor(app).send('/verify?lang=ja', { by: 'sha256', sha256: 'abc' });
    assert.equal(hash.status, 422);
    assert.match(textOf(hash), /16進数64文字で入力してください/);
  });

  test('503: while two others are being verified', async () => {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const places = [inCheckPlace(() => over), inCheckPlace(() => over)];
    const reply = await sent(file);
    resolve();
    await Promise.all(places);
    assert.deepEqual([reply.status, reply.headers.get('retry-after')], [503, '2']);
    assert.match(textOf(reply), /ただいま混み合っています。数秒待ってからもう一度/);
    assert.equal(resultOf(await sent(file)), '有効です');
  });
});
