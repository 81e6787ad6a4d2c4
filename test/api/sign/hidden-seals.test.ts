import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startApp } from '../../support/app.ts';
import { pdfOfPages } from '../../support/made-pdfs.ts';
import { pendingSeal } from '../../support/pending-seals.ts';
import { testSealKey } from '../../support/seal-keys.ts';
import { sealedFile } from '../../support/sealed-documents.ts';

const app = await startApp();
const { actor } = await app.actor();
const { key } = await testSealKey();
const { signal } = new AbortController();
const sealer = { key, authority: null, stamp_required: true, now: new Date(), signal };

/** The last text that a pattern finds in a file. */
const last = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].at(-1)![1]!;

/** A file with a revision behind it, whose form has these fields alone. */
function withForm(file: Buffer, fields: string): Buffer {
  const text = file.toString('latin1');
  const root = last(text, /\/Root (\d+) 0 R/g);
  const catalog = last(text, new RegExp(`\\n${root} 0 obj([\\s\\S]*?)endobj`, 'g'));
  const changed = catalog.replace(/\/AcroForm \d+ 0 R/, `/AcroForm << /Fields [${fields}] >>`);
  assert.notEqual(changed, catalog);
  const object = `${root} 0 obj${changed}endobj\n`;
  const at = file.length + 1;
  const row = `${String(at).padStart(10, '0')} 00000 n \n`;
  const size = last(text, /\/Size (\d+)/g);
  const trailer = `trailer\n<< /Size ${size} /Root ${root} 0 R /Prev ${last(text, /startxref\s+(\d+)/g)} >>`;
  const end = `xref\n${root} 1\n${row}${trailer}\nstartxref\n${at + object.length}\n%%EOF\n`;
  return Buffer.from(`${text}\n${object}${end}`, 'latin1');
}

const OTHER =
  '<< /FT /Sig /T (other) /V << /Type /Sig /Filter /Other /ByteRange [0 10 20 30] /Contents <00> >> >>';

describe('a seal that the form of a later revision does not name', () => {
  for (const [name, fields] of [
    ['with no field', ''],
    ['with another signature', OTHER],
  ] as const) {
    it(`is found ${name}: the file is modified`, async () => {
      const upload = { pdf: pdfOfPages([{}]), pages: 1 };
      const id = await pendingSeal({ database: app.database, storage: app.context.storage }, actor, upload);
      const file = await sealedFile(app, { organization_id: actor.organization_id, id, sealer });
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(withForm(file, fields))]), 'contract.pdf');
      const { result, reasons, document } = (await app.anonymous.post('/sign/verify', form)).body
        .verification;
      assert.deepEqual([result, reasons, document?.id], ['modified', [{ code: 'appended' }], id]);
    });
  }
});
