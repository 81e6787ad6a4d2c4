import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { ReaderFailure } from '../../../shared/platform/readers/failure.ts';
import { printedImage } from '../../../workers/received/picture.ts';
import { picturePdf } from '../../../workers/received/picture-pdf.ts';
import { HEIC } from '../../support/heic.ts';

const { signal } = new AbortController();

/** A picture whose left half is red, and of whose right half the upper half is blue and the lower one green. */
function drawn(width = 96, height = 64): Sharp {
  return sharp({ create: { width, height, channels: 3, background: '#cc0000' } }).composite([
    {
      input: { create: { width: width / 2, height, channels: 3, background: '#00aa00' } },
      left: width / 2,
      top: 0,
    },
    {
      input: { create: { width: width / 2, height: height / 2, channels: 3, background: '#0000cc' } },
      left: width / 2,
      top: 0,
    },
  ]);
}

/** The only picture of a PDF that qpdf finds nothing wrong with, as pdfimages writes it. */
async function pictureIn(
  bytes: Buffer,
  content_type: string,
): Promise<{ name: string; bytes: Buffer; pdf: Buffer }> {
  const image = await printedImage(bytes, content_type, signal);
  assert.ok(typeof image === 'object');
  const pdf = picturePdf(image);
  const folder = mkdtempSync(join(tmpdir(), 'picture-'));
  const path = join(folder, 'picture.pdf');
  writeFileSync(path, pdf);
  execFileSync('qpdf', ['--check', path]);
  execFileSync('pdfimages', ['-all', path, join(folder, 'out')]);
  const found = readdirSync(folder).filter((name) => name.startsWith('out'));
  assert.equal(found.length, 1);
  return { name: found[0]!, bytes: readFileSync(join(folder, found[0]!)), pdf };
}

/** The colours a quarter from each edge: left above, right above, right below. */
async function coloursOf(bytes: Buffer): Promise<{ size: [number, number]; colours: string[] }> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => {
    const place = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    const part = [...data.subarray(place, place + 3)].map((value) => Math.round(value / 17));
    return part.map((value) => value.toString(16)).join('');
  };
  return { size: [info.width, info.height], colours: [at(0.25, 0.25), at(0.75, 0.25), at(0.75, 0.75)] };
}

const UPRIGHT = { size: [96, 64], colours: ['c00', '00c', '0a0'] };

describe('the PDF of a picture', () => {
  test('has a JPEG as it came', async () => {
    const jpeg = await drawn().jpeg({ quality: 95 }).toBuffer();
    const found = await pictureIn(jpeg, 'image/jpeg');
    assert.deepEqual([found.name, found.bytes], ['out-000.jpg', jpeg]);
  });

  test('has one that a camera took on its side upright', async () => {
    const upright = await drawn().png().toBuffer();
    const turned = await sharp(upright)
      .rotate(270)
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 95 })
      .toBuffer();
    const found = await pictureIn(turned, 'image/jpeg');
    assert.deepEqual(await coloursOf(found.bytes), UPRIGHT);
  });

  test('has every pixel of a PNG, on white where it was transparent', async () => {
    const png = await drawn(98, 64).png({ palette: true, progressive: true }).toBuffer();
    const found = await pictureIn(png, 'image/png');
    const [was, is] = await Promise.all(
      [png, found.bytes].map((each) => sharp(each).toColourspace('srgb').removeAlpha().raw().toBuffer()),
    );
    assert.deepEqual(is, was);
    const clear = sharp({
      create: { width: 10, height: 10, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    });
    const white = await coloursOf((await pictureIn(await clear.png().toBuffer(), 'image/png')).bytes);
    assert.deepEqual(white.colours, ['fff', 'fff', 'fff']);
  });

  test('has WebP and HEIC', async () => {
    const webp = await drawn().webp({ quality: 95 }).toBuffer();
    assert.deepEqual(await coloursOf((await pictureIn(webp, 'image/webp')).bytes), UPRIGHT);
    assert.deepEqual(await coloursOf((await pictureIn(HEIC, 'image/heic')).bytes), UPRIGHT);
  });

  test('is a page of A4 that lies as the picture does, and the same bytes each time', async () => {
    const boxOf = (pdf: Buffer) => /\/MediaBox \[([^\]]*)\]/.exec(pdf.toString('latin1'))![1];
    const across = await pictureIn(await drawn(1200, 800).png().toBuffer(), 'image/png');
    assert.equal(boxOf(across.pdf), '0 0 841.89 595.28');
    const upright = await drawn(800, 1200).png().toBuffer();
    const first = await pictureIn(upright, 'image/png');
    assert.equal(boxOf(first.pdf), '0 0 595.28 841.89');
    assert.deepEqual((await pictureIn(upright, 'image/png')).pdf, first.pdf);
  });
});

describe('a picture that cannot be decoded', () => {
  test('is unreadable', async () => {
    const jpeg = await drawn(400, 400).jpeg().toBuffer();
    const png = await drawn(400, 400).png().toBuffer();
    const cut = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2));
    const broken: [Buffer, string][] = [
      [cut(jpeg), 'image/jpeg'],
      [cut(png), 'image/png'],
      [cut(HEIC), 'image/heic'],
      [Buffer.concat([HEIC.subarray(0, 40), Buffer.alloc(400)]), 'image/heic'],
    ];
    for (const [bytes, content_type] of broken) {
      assert.equal(await printedImage(bytes, content_type, signal), 'unreadable', content_type);
    }
  });

  test('may be tried again where its decoder crashed, and not where it took too much', async () => {
    for (const [reason, read] of [
      ['crashed', 'crashed'],
      ['memory', 'unreadable'],
      ['refused', 'unreadable'],
    ] as const) {
      const decode = () => Promise.reject(new ReaderFailure(reason));
      assert.equal(await printedImage(HEIC, 'image/heic', signal, decode), read);
    }
  });
});
