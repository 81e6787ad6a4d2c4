import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { kinds, type ReceivedKind, receivedKinds } from '../../../shared/received/documents/kinds.ts';
import { startApp } from '../../support/app.ts';
import { HEIC } from '../../support/heic.ts';
import { download, downloadPdf, startRenderers } from '../../support/pdf-documents.ts';
import { type Buyer, newBuyer } from '../../support/received.ts';
import { addTo, attemptWith, paper, type SentFile } from '../../support/received-files.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const app = await startApp();
await startRenderers(app);

async function registered(
  buyer: Buyer,
  kind: ReceivedKind,
  files: SentFile[],
  data: object = {},
): Promise<Shown> {
  if (files.length === 0) return buyer.register(kind, data as Record<string, unknown>);
  const reply = await attemptWith(buyer, kind, files, data);
  assert.equal(reply.status, 201, reply.text);
  return reply.body[kinds[kind].name];
}

const pdfPath = (kind: ReceivedKind, { id }: Shown) => `/${kinds[kind].path}/${id}/pdf`;

function inFolder(pdf: Buffer): string {
  const path = join(mkdtempSync(join(tmpdir(), 'received-pdf-')), 'file.pdf');
  writeFileSync(path, pdf);
  execFileSync('qpdf', ['--check', path]);
  return path;
}

/** The text of a PDF that qpdf finds nothing wrong with, without its spaces. */
function textOf(pdf: Buffer): string {
  return execFileSync('pdftotext', ['-layout', inFolder(pdf), '-'], { encoding: 'utf8' }).replaceAll(
    /\s+/g,
    '',
  );
}

function picturesIn(pdf: Buffer): number {
  const lines = execFileSync('pdfimages', ['-list', inFolder(pdf)], { encoding: 'utf8' })
    .trim()
    .split('\n');
  return lines.length - 2;
}

async function png(colour: string): Promise<SentFile> {
  const picture = sharp({ create: { width: 60, height: 40, channels: 3, background: colour } });
  return { name: '領収書.png', bytes: await picture.png().toBuffer() };
}

describe('the PDF of a received document', () => {
  test('is its own file, byte by byte, where that is a PDF', async () => {
    const buyer = await newBuyer(app);
    const [one, other] = [paper('one'), paper('other')];
    const made = await registered(buyer, 'invoice', [one, other]);
    const got = await download(app, buyer, pdfPath('invoice', made));
    assert.deepEqual(got.bytes, one.bytes);
    const etag = `"sha256:${made.files[0].sha256}"`;
    assert.equal(got.headers.get('etag'), etag);
    assert.equal(
      (await download(app, buyer, pdfPath('invoice', made), { 'If-None-Match': etag })).status,
      304,
    );
    await addTo(buyer, 'invoice', made.id, [paper('third')], { supersedes: made.files[0].id });
    assert.deepEqual((await download(app, buyer, pdfPath('invoice', made))).bytes, other.bytes);
  });

  for (const kind of receivedKinds) {
    test(`is a sheet of a ${kinds[kind].title.en} without one, and another one once it has changed`, async () => {
      const buyer = await newBuyer(app);
      const csv = { name: '明細.csv', bytes: Buffer.from('a,b\n') };
      const made = await registered(buyer, kind, [csv], { number: 'INV-118', subject: '<b>用紙</b>' });
      const pdf = await downloadPdf(app, buyer, pdfPath(kind, made));
      const text = textOf(pdf);
      for (const part of [
        '控え/RECORDSHEET',
        kinds[kind].title.ja,
        'INV-118',
        made.id,
        made.files[0].sha256,
        '<b>用紙</b>',
      ])
        assert.ok(text.includes(part), `${part}: ${text}`);
      assert.deepEqual(await downloadPdf(app, buyer, pdfPath(kind, made)), pdf);
      await buyer.change(kind, made.id, { number: 'INV-119' });
      assert.ok(textOf(await downloadPdf(app, buyer, pdfPath(kind, made))).includes('INV-119'));
    });
  }

  test('tells lines and amounts of what has no file at all', async () => {
    const buyer = await newBuyer(app);
    const made = await registered(buyer, 'invoice', []);
    const reply = await download(app, buyer, pdfPath('invoice', made));
    assert.match(reply.headers.get('etag')!, /^"sha256:[0-9a-f]{64}"$/);
    const text = textOf(reply.bytes);
    for (const part of ['コピー用紙', '10%対象/Taxedat10%', '100,000', '¥110,000'])
      assert.ok(text.includes(part), `${part}: ${text}`);
  });

  test('is saved under a name that every system takes, which the number says', async () => {
    const buyer = await newBuyer(app);
    const nameOf = async (number: string, files: SentFile[] = []) => {
      const made = await registered(buyer, 'invoice', files, { number });
      const { headers } = await download(app, buyer, pdfPath('invoice', made));
      const said = headers.get('content-disposition')!;
      const [, plain] = /filename="([^"]*)"/.exec(said)!;
      return [plain, decodeURIComponent(/filename\*=UTF-8''(.*)$/.exec(said)![1]!)];
    };
    assert.deepEqual(await nameOf('2026/118'), ['record_sheet_2026-118.pdf', '控え_2026-118.pdf']);
    const [, turned] = await nameOf('\u202efdp.exe');
    assert.equal(turned, '控え__fdp.exe.pdf');
    const [, long] = await nameOf('請'.repeat(100));
    assert.match(long!, /^控え_請{50,}\.pdf$/);
    assert.ok(Buffer.byteLength(long!) <= 255, `${Buffer.byteLength(long!)} bytes`);
    const { bytes } = await png('#00cc00');
    const [, picture] = await nameOf('7', [{ name: `${'領'.repeat(100)}.png`, bytes }]);
    assert.match(picture!, /^領{50,}\.pdf$/);
    assert.ok(Buffer.byteLength(picture!) <= 255, `${Buffer.byteLength(picture!)} bytes`);
  });

  test('is a page of a picture, of HEIC too', async () => {
    const buyer = await newBuyer(app);
    for (const [place, file] of [await png('#cc0000'), { name: 'IMG_1.HEIC', bytes: HEIC }].entries()) {
      const made = await registered(buyer, 'invoice', [file], { number: String(place) });
      assert.equal(picturesIn(await downloadPdf(app, buyer, pdfPath('invoice', made))), 1);
    }
  });

  test('is the sheet where the picture cannot be decoded', async () => {
    const buyer = await newBuyer(app);
    const whole = await png('#0000cc');
    const cut = { ...whole, bytes: whole.bytes.subarray(0, whole.bytes.length - 30) };
    const made = await registered(buyer, 'invoice', [cut]);
    const path = pdfPath('invoice', made);
    for (const pdf of [await downloadPdf(app, buyer, path), await downloadPdf(app, buyer, path)])
      assert.ok(textOf(pdf).includes('控え/RECORDSHEET'));
    const [file] = (await buyer.read('invoice', made.id)).files;
    assert.deepEqual(file, made.files[0]);
    const more = await addTo(buyer, 'invoice', made.id, [paper('beside')]);
    // Nobody has said that the picture is damaged: it may be too large for a page.
    assert.deepEqual(more.body.received_invoice.warnings, made.warnings);
  });

  test('is answered with its job while it is being made, if the caller does not wait', async () => {
    const buyer = await newBuyer(app);
    const made = await registered(buyer, 'quotation', []);
    const reply = await buyer.get(pdfPath('quotation', made), { Prefer: 'respond-async' });
    assert.equal(reply.status, 202, reply.text);
    assert.equal(reply.body.job.kind, 'received.document.pdf');
    assert.ok(textOf(await downloadPdf(app, buyer, pdfPath('quotation', made))).includes('RECORDSHEET'));
  });
});
