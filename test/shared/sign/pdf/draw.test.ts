import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import { P12Signer, PDF } from '@libpdf/core';
import { drawForSeal } from '../../../../shared/sign/pdf/draw.ts';
import { seenSize } from '../../../../shared/sign/pdf/geometry.ts';
import { drawnPdf } from '../../../../shared/sign/pdf/reading/draw.ts';
import { read } from '../../../../shared/sign/pdf/reading/inspect.ts';
import { savesAfter } from '../../../../shared/sign/pdf/reading/saves.ts';
import type {
  CropBox,
  DrawingOrder,
  PlacedField,
  PlacedValue,
  Rotation,
} from '../../../../shared/sign/pdf/types.ts';
import { type MadePage, pdfOf, pdfOfPages } from '../../../support/made-pdfs.ts';
import { pdfPages } from '../../../support/pdf-pages.ts';
import { byQpdf, checkByQpdf, seenWords, withPdf } from '../../../support/poppler.ts';

const CROP: CropBox = [10, 20, 410, 620];
const ROTATIONS: readonly Rotation[] = [0, 90, 180, 270];
const TURNED: MadePage[] = ROTATIONS.map((rotate) => ({
  media: '0 0 500 700',
  crop: CROP.join(' '),
  rotate,
}));
const NOTHING = { values: {}, fields: [], is_signed: false, append: null, attachment: null };

/** One field for each value, down the page, as a form of contracts has them. */
const VALUES: [type: string, value: PlacedValue, words: string[]][] = [
  ['name', '佐藤 花子', ['佐藤', '花子']],
  ['text', '甲は乙に\n委託する', ['甲は乙に', '委託する']],
  ['date', '2026-12-01', ['2026-12-01']],
  ['number', '1234.50', ['1234.50']],
  ['checkbox', true, ['✓']],
  ['select', '同意する', ['同意する']],
  ['signature', { kind: 'typed', text: '髙橋' }, ['髙橋']],
  ['stamp', { kind: 'text', text: '印' }, ['印']],
];

function placed(page: number): { field: PlacedField; value: PlacedValue; words: string[] }[] {
  return VALUES.map(([type, value, words], index) => ({
    field: {
      id: `sfld_${page}_${index}`,
      type,
      page,
      x: 0.1,
      y: 0.05 + index * 0.1,
      w: 0.3,
      h: 0.08,
      font_size: 10,
    },
    value,
    words,
  }));
}

function orderFor(pdf: Uint8Array, all: ReturnType<typeof placed>): DrawingOrder {
  const values = Object.fromEntries(all.map(({ field, value }) => [field.id, value]));
  return { ...NOTHING, pdf, fields: all.map(({ field }) => field), values };
}

/** Each word is seen in its field, within a point. */
function assertSeen(content: Uint8Array, all: ReturnType<typeof placed>, crop_box = CROP): void {
  const seen = seenWords(content);
  for (const { field, words } of all) {
    const rotation = ROTATIONS[field.page - 1]!;
    const [width, height] = seenSize({ crop_box, rotation });
    for (const text of words) {
      const found = seen.filter((word) => word.page === field.page && word.text === text);
      const inside = found.some(
        ({ left, top, right, bottom }) =>
          left >= field.x * width - 1 &&
          right <= (field.x + field.w) * width + 1 &&
          top >= field.y * height - 1 &&
          bottom <= (field.y + field.h) * height + 1,
      );
      assert.ok(inside, `${text} on page ${field.page}: ${JSON.stringify(found)}`);
    }
  }
}

describe('values that are drawn', () => {
  const all = ROTATIONS.flatMap((_, index) => placed(index + 1));

  it('are text in their boxes, on cropped pages in four rotations, with what was there before', async () => {
    const plain = pdfOfPages(TURNED);
    const drawn = await drawForSeal(orderFor(plain, all));
    checkByQpdf(drawn);
    assertSeen(drawn, all);
    assert.equal(seenWords(drawn).filter(({ text }) => text === 'Agreement').length, 4);
    // A subset of the font: the whole one has five megabytes.
    assert.ok(drawn.length < plain.length + 50_000, `${drawn.length}`);
  });

  it('are above the boxes of a form', async () => {
    const box =
      '<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /F 4 /MK << /BG [1 1 1] >> /Rect [0 0 500 700] >>';
    const pages = TURNED.map((page) => ({ ...page, entries: '/Annots [4 0 R]' }));
    const form = pdfOfPages(pages, '/AcroForm << /Fields [4 0 R] >>', [box]);
    const drawn = await drawnPdf(orderFor(form, all));
    checkByQpdf(drawn);
    assertSeen(drawn, all);
    const annotations = (await PDF.load(drawn)).getPage(0)!.dict.getArray('Annots')!;
    assert.equal(annotations.length, 1 + VALUES.length);
  });

  it('do not change what pages share or take from above, and stand right where a page leaves states open', async () => {
    const words = (text: string) => ({
      entries: '',
      stream: Buffer.from(`2 0 0 2 0 0 cm q BT /F1 9 Tf (${text}) Tj ET`),
    });
    const page = (contents: number) => `<< /Type /Page /Parent 2 0 R /Contents ${contents} 0 R >>`;
    const content = pdfOf([
      '<< /Type /Catalog /Pages 7 0 R >>',
      '<< /Type /Pages /Parent 7 0 R /Count 2 /Kids [3 0 R 5 0 R] /MediaBox [0 0 400 600] /Resources 8 0 R >>',
      page(4),
      words('first'),
      page(6),
      words('second'),
      '<< /Type /Pages /Count 2 /Kids [2 0 R] >>',
      '<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>',
    ]);
    const own = placed(1);
    const append = pdfOfPages([{ media: '0 0 300 300', text: 'Certificate' }]);
    const drawn = await drawnPdf({ ...orderFor(content, own), append });
    checkByQpdf(drawn);
    assertSeen(drawn, own, [0, 0, 400, 600]);
    const texts = seenWords(drawn).map(({ page, text }) => `${page} ${text}`);
    for (const text of ['1 first', '2 second', '3 Certificate']) assert.ok(texts.includes(text), text);
    assert.deepEqual(
      (await pdfPages(drawn)).map(({ width, height }) => [width, height]),
      [
        [400, 600],
        [400, 600],
        [300, 300],
      ],
    );
  });

  it('come behind the bytes of the upload, whatever its table, or with all of it where it must be written anew', async () => {
    const plain = pdfOfPages(TURNED);
    const compressed = byQpdf(plain, '--object-streams=generate');
    const linear = byQpdf(plain, '--linearize');
    const broken = plain.subarray(0, plain.indexOf('xref'));
    const append = pdfOfPages([{ text: 'Certificate' }]);
    for (const pdf of [plain, compressed, linear, broken]) {
      const drawn = Buffer.from(await drawnPdf({ ...orderFor(pdf, all), append }));
      checkByQpdf(drawn);
      assertSeen(drawn, all);
      assert.ok(seenWords(drawn).some(({ page, text }) => page === 5 && text === 'Certificate'));
      assert.equal(drawn.subarray(0, pdf.length).equals(pdf), pdf !== broken);
    }
  });

  it('come with the attached file, beside those that were there', async () => {
    const content = Buffer.from('{"head":"証跡"}');
    const attachment = {
      name: 'audit.json',
      description: 'The trail',
      media_type: 'application/json',
      content,
      at: '2026-12-01T00:00:00Z',
    };
    const earlier =
      '/Names << /EmbeddedFiles << /Names [(old.txt) << /Type /Filespec /F (old.txt) /EF << /F 4 0 R >> >>] >> >>';
    const pdf = pdfOfPages([{}], earlier, [{ entries: '/Type /EmbeddedFile', stream: Buffer.from('old') }]);
    const drawn = await drawnPdf({ ...NOTHING, pdf, attachment });
    checkByQpdf(drawn);
    const files = withPdf(drawn, 'pdfdetach', ['-list', 'in.pdf']).text;
    assert.match(files, /1: audit\.json\n2: old\.txt/);
    assert.deepEqual(withPdf(drawn, 'pdfdetach', ['-save', '1', '-o', 'out.pdf', 'in.pdf']).made, content);
  });

  it('are refused before, so that what cannot be drawn is an error', async () => {
    const [{ field }] = placed(1) as [ReturnType<typeof placed>[number]];
    const order = orderFor(pdfOfPages([{}]), [{ field, value: '😀', words: [] }]);
    await assert.rejects(drawnPdf(order), /cannot be drawn: bad_characters/);
    await assert.rejects(drawForSeal(order), { reason: 'crashed' });
  });
});

describe('values in a file that has signatures', () => {
  let signed: Uint8Array;
  before(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'key-'));
    const run = (...options: string[]) => execFileSync('openssl', options, { cwd: folder, stdio: 'pipe' });
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key.pem'];
    run('req', '-x509', ...key, '-out', 'cert.pem', '-days', '30', '-subj', '/CN=Earlier');
    run('pkcs12', '-export', '-inkey', 'key.pem', '-in', 'cert.pem', '-passout', 'pass:x', '-out', 'key.p12');
    const signer = await P12Signer.create(readFileSync(join(folder, 'key.p12')), 'x');
    rmSync(folder, { recursive: true });
    signed = (await (await PDF.load(pdfOfPages(TURNED))).sign({ signer })).bytes;
  });

  it('are appended to it as annotations that nobody moves, and its signatures hold', async () => {
    const all = ROTATIONS.flatMap((_, index) => placed(index + 1));
    const drawn = await drawForSeal({ ...orderFor(signed, all), is_signed: true });
    assert.deepEqual(drawn.subarray(0, signed.length), Buffer.from(signed));
    checkByQpdf(drawn);
    assertSeen(drawn, all);
    assert.match(withPdf(drawn, 'pdfsig', ['-nocert', 'in.pdf']).text, /Signature is Valid/);
    const pdf = await PDF.load(drawn);
    const annotations = pdf.getPage(1)!.dict.getArray('Annots', (ref) => pdf.getObject(ref))!;
    const last = annotations.at(-1 + annotations.length, (ref) => pdf.getObject(ref));
    assert.equal(
      (last as { getNumber(key: string): { value: number } }).getNumber('F').value,
      4 + 64 + 128 + 512,
    );
  });
});

describe('graphics states that a page leaves open', () => {
  const table: [content: string, open: number][] = [
    ['', 0],
    ['q 1 0 0 1 0 0 cm', 1],
    ['q q Q', 1],
    ['Q Q q', 1],
    ['q (q \\) q (q)) Tj Q', 0],
    ['q % q q\nQ', 0],
    ['/q gs q /Q gs', 1],
    ['q BI /W 1 ID q q q EI Q', 0],
    ['<71> q[q]Q', 1],
    ['(', 0],
    ['Qq qQ IDq qq', 0],
    ['q\0Q<<q>>', 1],
  ];
  for (const [content, open] of table) {
    it(`${JSON.stringify(content)}: ${open}`, () => {
      assert.equal(savesAfter(content, 0), open);
    });
  }

  it('are counted in the time of the length', () => {
    assert.equal(savesAfter('('.repeat(3_000_000), 2), 2);
  });
});

describe('a page that a field lies on', () => {
  it('may have as much content as an upload is taken with', async () => {
    const lines = Buffer.alloc(64 * 1024 * 1024, 'q Q\n');
    const page = '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /MediaBox [0 0 400 600] >>';
    const nodes = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Count 1 /Kids [3 0 R] >>'];
    const content = { entries: '/Filter /FlateDecode', stream: deflateSync(lines) };
    const pdf = pdfOf([...nodes, page, content]);
    assert.equal((await read(null, pdf)).page_count, 1);
    assert.ok((await drawnPdf(orderFor(pdf, placed(1)))).length > pdf.length);
  });

  it('may have no content and no resources', async () => {
    const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 600] >>';
    const nodes = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Count 1 /Kids [3 0 R] >>'];
    const drawn = await drawnPdf(orderFor(pdfOf([...nodes, page]), placed(1)));
    checkByQpdf(drawn);
    assertSeen(drawn, placed(1), [0, 0, 400, 600]);
  });
});
