import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { UnreadableFile } from '../../../../shared/platform/readers/failure.ts';
import { inspectPdf } from '../../../../shared/sign/pdf/inspect.ts';
import { read } from '../../../../shared/sign/pdf/reading/inspect.ts';
import type { InspectedPdf } from '../../../../shared/sign/pdf/types.ts';
import { type MadePage, pdfOf, pdfOfPages } from '../../../support/made-pdfs.ts';
import { byQpdf } from '../../../support/poppler.ts';

const PLAIN = pdfOfPages([{}]);
const NODES = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Count 1 /Kids [3 0 R] >>'];
const SIGNATURE = '<< /Type /Sig /Filter /Adobe.PPKLite /ByteRange [0 1 2 3] /Contents <00> >>';

/** What the module of the reader answers, without a process. */
async function inspected(content: Buffer): Promise<InspectedPdf | string> {
  return read(null, content).catch((error) => {
    if (error instanceof UnreadableFile) return error.word;
    throw error;
  });
}

/** Two gigabytes of zeros, deflated to two megabytes: pieces that stand alone, one after the other. */
function bomb(): Buffer {
  const piece = deflateRawSync(Buffer.alloc(1 << 20), { finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([Buffer.from('789c', 'hex'), ...Array(2_048).fill(piece)]);
}

function replaced(content: Buffer, text: string, by: string): Buffer {
  return Buffer.from(content.toString('latin1').replace(text, by), 'latin1');
}

describe('an upload that is taken', () => {
  it('tells its pages by the part that is seen, and how they are turned', async () => {
    const pages: MadePage[] = [
      {},
      { media: '10 20 410 620', rotate: 90 },
      { media: '410 620 10 20', rotate: -90 },
      { media: '0 0 500 700', crop: '10 20 9999 620', rotate: 540 },
      { media: '0 0 500 700', crop: '600 800 700 900', rotate: 45 },
    ];
    assert.deepEqual(await inspected(pdfOfPages(pages)), {
      page_count: 5,
      pages: [
        { crop_box: [0, 0, 595, 842], rotation: 0 },
        { crop_box: [10, 20, 410, 620], rotation: 90 },
        { crop_box: [10, 20, 410, 620], rotation: 270 },
        { crop_box: [10, 20, 500, 620], rotation: 180 },
        { crop_box: [0, 0, 500, 700], rotation: 0 },
      ],
      has_signatures: false,
    });
  });

  it('takes what pages have from the nodes above them', async () => {
    const content = pdfOf([
      NODES[0]!,
      '<< /Type /Pages /Count 2 /Kids [3 0 R 4 0 R] /MediaBox [0 0 300 400] /Rotate 180 >>',
      '<< /Type /Page /Parent 2 0 R >>',
      '<< /Type /Pages /Parent 2 0 R /Count 1 /Kids [5 0 R] /CropBox [0 0 100 100] >>',
      '<< /Type /Page /Parent 4 0 R /Rotate 0 >>',
    ]);
    assert.deepEqual(((await inspected(content)) as InspectedPdf).pages, [
      { crop_box: [0, 0, 300, 400], rotation: 180 },
      { crop_box: [0, 0, 100, 100], rotation: 0 },
    ]);
  });

  it('may have streams of objects, be linearized, lack its table or begin late', async () => {
    const forms = [
      byQpdf(PLAIN, '--object-streams=generate'),
      byQpdf(PLAIN, '--linearize'),
      PLAIN.subarray(0, PLAIN.indexOf('xref')),
      Buffer.concat([Buffer.from('an envelope\n'), PLAIN]),
    ];
    const whole = await inspected(PLAIN);
    for (const form of forms) assert.deepEqual(await inspected(form), whole);
  });

  it('may be signed', async () => {
    const signed = pdfOfPages([{ entries: '/Annots [4 0 R]' }], '/AcroForm << /Fields [4 0 R] >>', [
      `<< /FT /Sig /T (s) /Subtype /Widget /Rect [0 0 0 0] /V ${SIGNATURE} >>`,
    ]);
    assert.equal(((await inspected(signed)) as InspectedPdf).has_signatures, true);
  });
});

describe('an upload that is not taken', () => {
  it('is encrypted, whatever else is wrong with it', async () => {
    const wrong = replaced(PLAIN, '/Count 1', '/Count 9');
    const forms = [
      byQpdf(PLAIN, '--encrypt', 'user', 'owner', '256', '--'),
      byQpdf(PLAIN, '--encrypt', '', 'owner', '256', '--'),
      byQpdf(PLAIN, '--allow-weak-crypto', '--encrypt', '', 'owner', '40', '--'),
      byQpdf(PLAIN, '--object-streams=generate', '--encrypt', 'user', 'owner', '256', '--'),
      byQpdf(wrong, '--encrypt', '', 'owner', '256', '--'),
    ];
    for (const form of forms) {
      assert.equal(await inspected(form), 'encrypted_pdf');
      const repaired = form.subarray(0, form.lastIndexOf('startxref'));
      assert.equal(await inspected(repaired), 'encrypted_pdf');
    }
  });

  const refused: Record<string, [word: string, content: () => Buffer]> = {
    'no PDF behind its first bytes': ['unreadable_pdf', () => Buffer.from('%PDF-1.7\nthe end')],
    'no page': ['unreadable_pdf', () => pdfOfPages([])],
    'a Count that differs': ['unreadable_pdf', () => replaced(PLAIN, '/Count 1', '/Count 2')],
    'a Count of two billion': ['unreadable_pdf', () => replaced(PLAIN, '/Count 1', '/Count 2147483647')],
    'a Count that differs below': [
      'unreadable_pdf',
      () => pdfOf([...NODES, '<< /Type /Pages /Count 3 /Kids [4 0 R] >>', '<< /Type /Page >>']),
    ],
    'a page used twice': [
      'unreadable_pdf',
      () => replaced(replaced(PLAIN, '/Count 1', '/Count 2'), '[4 0 R]', '[4 0 R 4 0 R]'),
    ],
    'pages in a circle': [
      'unreadable_pdf',
      () => pdfOf([...NODES, '<< /Type /Pages /Count 1 /Kids [2 0 R] >>']),
    ],
    'a page without its type': ['unreadable_pdf', () => pdfOf([...NODES, '<< /Parent 2 0 R >>'])],
    'a page without area': ['unreadable_pdf', () => pdfOfPages([{ media: '0 0 0 100' }])],
    'a page of a hundred kilometres': ['unreadable_pdf', () => pdfOfPages([{ media: '0 0 283464567 100' }])],
    'an object that cannot be read': [
      'unreadable_pdf',
      () => pdfOfPages([{ entries: '/Annots 4 0 R' }], '', [`${'['.repeat(600)}${']'.repeat(600)}`]),
    ],
    'tables of references in a circle, and no trailer': [
      'unreadable_pdf',
      () => Buffer.from('%PDF-1.7\nxref\n0 0\ntrailer\n<< /Prev 9 >>\nstartxref\n9\n%%EOF'),
    ],
    'a tree of a hundred thousand nodes, one in the other': [
      'unreadable_pdf',
      () => {
        const node = (_: unknown, index: number) => `<< /Type /Pages /Count 1 /Kids [${index + 3} 0 R] >>`;
        return pdfOf([NODES[0]!, ...Array.from({ length: 100_000 }, node), '<< /Type /Page >>']);
      },
    ],
    'too many pages': ['too_many_pages', () => pdfOfPages(Array.from({ length: 501 }, () => ({})))],
    'a script when it opens': [
      'active_content',
      () => pdfOfPages([{}], '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>'),
    ],
    'a script by its name': ['active_content', () => pdfOfPages([{}], '/Names << /JavaScript << >> >>')],
    'a script at an event': [
      'active_content',
      () => pdfOfPages([{ entries: '/AA << /O << /S /Java#53cript /JS (1) >> >>' }]),
    ],
    'a script after another action': [
      'active_content',
      () =>
        pdfOfPages([{ entries: '/Annots [4 0 R]' }], '', [
          '<< /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (x) /Next [<< /S /JavaScript /JS (1) >>] >> >>',
        ]),
    ],
    'a program that a link starts': [
      'active_content',
      () => pdfOfPages([{ entries: '/Annots [<< /Subtype /Link /A << /S /Launch /F (cmd.exe) >> >>]' }]),
    ],
    'a form of XFA': ['active_content', () => pdfOfPages([{}], '/AcroForm << /Fields [] /XFA [] >>')],
    'a certification': ['certified_pdf', () => pdfOfPages([{}], '/Perms << /DocMDP 4 0 R >>', [SIGNATURE])],
    'a certification that is not listed': [
      'certified_pdf',
      () =>
        pdfOfPages([{}], `/AcroForm << /Fields [<< /FT /Sig /V 4 0 R >>] >>`, [
          SIGNATURE.replace('/Type', '/Reference [<< /TransformMethod /DocMDP >>] /Type'),
        ]),
    ],
    'a signature, and no table to append to': [
      'signed_pdf_not_appendable',
      () => {
        const signed = pdfOfPages([{}], `/AcroForm << /Fields [<< /FT /Sig /V 4 0 R >>] >>`, [SIGNATURE]);
        return signed.subarray(0, signed.indexOf('xref'));
      },
    ],
  };
  for (const [name, [word, content]] of Object.entries(refused)) {
    it(`has ${name}: ${word}`, async () => {
      assert.equal(await inspected(content()), word);
    });
  }
});

describe('a file that was made to harm', () => {
  const page = '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /MediaBox [0 0 100 100] >>';
  const made: Record<string, [word: string, content: () => Buffer]> = {
    'a million objects': ['too_complex', () => pdfOf([...NODES, page, ...Array(1_000_000).fill('null')])],
    'a page whose content grows without end': [
      'too_complex',
      () => pdfOf([...NODES, page, { entries: '/Filter /FlateDecode', stream: bomb() }]),
    ],
    'a page whose content grows in two steps': [
      'too_complex',
      () =>
        pdfOf([
          ...NODES,
          page,
          { entries: '/Filter [/FlateDecode /FlateDecode]', stream: deflateSync(bomb()) },
        ]),
    ],
    'a page of many contents that are large together': [
      'too_complex',
      () => {
        const stream = deflateSync(Buffer.alloc(20 * 1024 * 1024, ' '));
        const all = page.replace('4 0 R', '[4 0 R 5 0 R 6 0 R 7 0 R]');
        return pdfOf([...NODES, all, ...Array(4).fill({ entries: '/Filter /FlateDecode', stream })]);
      },
    ],
    'a stream of objects that grows without end': [
      'too_complex',
      () => {
        const objects = { entries: '/Type /ObjStm /N 1 /First 9 /Filter /FlateDecode', stream: bomb() };
        const references = Buffer.from([0, 0, 0, 1, 0, 0, 2, 1, 0]);
        const table = { entries: '/Type /XRef /Size 3 /W [1 1 1] /Root 2 0 R', stream: references };
        const content = pdfOf([objects, table]);
        const at = content.indexOf('2 0 obj');
        content[content.indexOf(references) + 4] = content.indexOf('1 0 obj');
        return Buffer.concat([
          content.subarray(0, content.indexOf('xref\n')),
          Buffer.from(`startxref\n${at}\n%%EOF`),
        ]);
      },
    ],
  };
  for (const [name, [word, content]] of Object.entries(made)) {
    it(`${name}: ${word}, in a process of its own`, async () => {
      const bytes = content();
      const before = process.memoryUsage().rss;
      assert.deepEqual(await inspectPdf(bytes), { refused: word });
      assert.ok(process.memoryUsage().rss - before < 64 * 1024 * 1024);
    });
  }

  it('is answered where it is a good one', async () => {
    assert.deepEqual(await inspectPdf(PLAIN), await inspected(PLAIN));
  });
});
