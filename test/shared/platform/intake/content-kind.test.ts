import assert from 'node:assert/strict';
import { syncBuiltinESMExports } from 'node:module';
import { describe, test } from 'node:test';
import zlib, { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import sharp from 'sharp';
import {
  type ContentKind,
  contentKindOf,
  contentKinds,
} from '../../../../shared/platform/intake/content-kind.ts';

const image = () => sharp({ create: { width: 2, height: 2, channels: 3, background: { r: 1, g: 2, b: 3 } } });
const bytes = (hex: string, text = '') =>
  Buffer.concat([Buffer.from(hex, 'hex'), Buffer.from(text, 'latin1')]);

/** A zip archive's first entry, which has no content. */
function entry(name: string): Buffer {
  const header = Buffer.alloc(30);
  header.write('PK\u0003\u0004', 'latin1');
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, Buffer.from(name)]);
}

/** The entry of an Office file that says of which kind its parts are. */
function contentTypes(format: string): Buffer {
  const type = `application/vnd.openxmlformats-officedocument.${format}.document.main+xml`;
  const content = deflateRawSync(`<Types><Override ContentType="${type}"/></Types>`);
  const header = entry('[Content_Types].xml');
  header.writeUInt16LE(8, 8);
  header.writeUInt32LE(content.length, 18);
  return Buffer.concat([header, content]);
}

/** An archive of so many lists of content types, each a stream that goes on to the end of all of them. */
function endlessLists(count: number): Buffer {
  const header = entry('[Content_Types].xml');
  header.writeUInt16LE(8, 8);
  const block = Buffer.alloc(5);
  block.writeUInt16LE(header.length, 1);
  block.writeUInt16LE(~header.length & 0xffff, 3);
  return Buffer.concat([header, ...Array.from({ length: count - 1 }, () => [block, header]).flat()]);
}

describe('the kind of a file by its content', () => {
  const table: [what: string, head: Buffer, kind: ContentKind][] = [
    ['a PDF', Buffer.from('%PDF-1.7\n%âãÏÓ'), 'pdf'],
    ['a PDF with bytes before its header', bytes('00ff80', '\n%PDF-1.4'), 'pdf'],
    ['a text about PDF', Buffer.from('the header is %PDF-1.4'), 'text'],
    ['a GIF', bytes('', 'GIF89a..'), 'gif'],
    ['a WebP', bytes('', 'RIFF\u0001\u0002\u0003\u0004WEBPVP8 '), 'webp'],
    ['a HEIC', bytes('00000018', 'ftypheic\0\0\0\0mif1'), 'heic'],
    ['another film of that format', bytes('00000018', 'ftypisom\0\0\0\0'), 'binary'],
    ['a TIFF', bytes('49492a0008000000'), 'tiff'],
    ['an archive', entry('a.txt'), 'zip'],
    ['an empty archive', bytes('504b0506', '\0'.repeat(18)), 'zip'],
    ['a workbook', Buffer.concat([entry('[Content_Types].xml'), entry('xl/workbook.xml')]), 'xlsx'],
    ['a document', Buffer.concat([entry('[Content_Types].xml'), entry('word/document.xml')]), 'docx'],
    ['slides', Buffer.concat([entry('_rels/.rels'), entry('ppt/presentation.xml')]), 'pptx'],
    ['an old workbook', bytes('d0cf11e0a1b11ae1'), 'ole'],
    ['a compressed file', bytes('1f8b08'), 'gzip'],
    ['a program for Windows', bytes('', `MZ\u0090\0\u0003${'\0'.repeat(60)}`), 'executable'],
    ['a text that begins with MZ', Buffer.from('MZ,名前\n1,山田\n'), 'text'],
    ['a program for Linux', bytes('7f454c4602010100'), 'executable'],
    ['a program for macOS', bytes('cffaedfe07000001', '\0\0'), 'executable'],
    ['a script', Buffer.from('#!/bin/sh\necho'), 'script'],
    ['a page', Buffer.from('\ufeff\n <!DOCTYPE html><p>'), 'html'],
    ['a page that begins with a comment', Buffer.from('<!-- %PDF-1.4 --><script>alert(1)</script>'), 'html'],
    ['a drawing', Buffer.from('<?xml version="1.0"?>\n<svg xmlns="x"/>'), 'svg'],
    ['other markup', Buffer.from('<?xml version="1.0"?><Invoice/>'), 'xml'],
    ['Japanese in UTF-8', Buffer.from('メール,氏名\n'), 'text'],
    ['Japanese in Shift_JIS', bytes('838181815b838b2c8e81965c'), 'text'],
    ['a letter that is cut at the end', Buffer.from('山田').subarray(0, 5), 'text'],
    ['UTF-16 with a mark', bytes('fffe', 'a\0b\0'), 'text'],
    ['a NUL in a text', bytes('', 'a\0b'), 'binary'],
    ['a page in UTF-16', Buffer.from('\ufeff<html><script>alert(1)</script>', 'utf16le'), 'html'],
    ['a page in UTF-16BE', Buffer.from('\ufeff<!DOCTYPE html><p>', 'utf16le').swap16(), 'html'],
    [
      'a page behind many spaces',
      Buffer.from(`${' '.repeat(1_444)}\u3000${' '.repeat(3_000)}<script>a()</script>`),
      'html',
    ],
    ['a page behind a long comment', Buffer.from(`<!--${'x'.repeat(1_500)}--><table><tr>`), 'html'],
    ['a page in a comment that never ends', Buffer.from(`<!--${'x'.repeat(1_500)}`), 'html'],
    ['a page behind a comment that HTML ends early', Buffer.from('<!--><script>a()</script>-->'), 'html'],
    ['a drawing with a prefix', Buffer.from('<s:svg xmlns:s="http://www.w3.org/2000/svg"/>'), 'svg'],
    [
      'a drawing behind a long prologue',
      Buffer.from(`<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "${'x'.repeat(1_500)}">]><svg/>`),
      'svg',
    ],
    ['markup behind a comment', Buffer.from('<!-- draft --><Invoice/>'), 'xml'],
    ['a program in an archive', Buffer.concat([entry('evil.exe'), entry('word/x')]), 'zip'],
    ['a program in a document', Buffer.concat([entry('word/x'), entry('evil.exe')]), 'zip'],
    [
      'a document whose first part is long',
      Buffer.concat([contentTypes('wordprocessingml'), entry('docProps/thumbnail.jpeg')]),
      'docx',
    ],
    ['nothing', Buffer.alloc(0), 'text'],
  ];
  for (const [what, head, kind] of table)
    test(`${what}: ${kind}`, () => assert.equal(contentKindOf(head), kind));

  test('images as programs write them', async () => {
    assert.equal(contentKindOf(await image().png().toBuffer()), 'png');
    assert.equal(contentKindOf(await image().jpeg().toBuffer()), 'jpeg');
    assert.equal(contentKindOf(await image().webp().toBuffer()), 'webp');
    assert.equal(contentKindOf(await image().tiff().toBuffer()), 'tiff');
  });

  test('an archive of many lists of content types has one of them read', (context) => {
    const inflating = context.mock.method(zlib, 'inflateRawSync');
    syncBuiltinESMExports();
    context.after(() => {
      inflating.mock.restore();
      syncBuiltinESMExports();
    });
    assert.equal(contentKindOf(endlessLists(1_000)), 'zip');
    assert.equal(inflating.mock.callCount(), 1);
  });

  test('is told of any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (any) => {
        assert.ok(contentKindOf(Buffer.from(any)) in contentKinds);
      }),
    );
  });
});
