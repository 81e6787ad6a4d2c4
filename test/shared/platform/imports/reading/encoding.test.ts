import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  type AskedEncoding,
  detectEncoding,
} from '../../../../../shared/platform/imports/reading/encoding.ts';
import { encoded, inPieces } from '../../../../support/reading.ts';

function detect(bytes: Uint8Array, asked: AskedEncoding = 'auto', sizes: number[] = [65_536]) {
  return detectEncoding(() => inPieces(bytes, sizes), asked);
}

const utf8 = (text: string) => Buffer.from(text);
const shiftJis = (text: string) => encoded(text, 'shift_jis');
const bad = Buffer.from([0x61, 0xff, 0xff, 0x0a]);

describe('a byte-order mark', () => {
  test('decides, also against what was asked for', async () => {
    const marks: [number[], string][] = [
      [[0xef, 0xbb, 0xbf], 'utf-8'],
      [[0xff, 0xfe], 'utf-16le'],
      [[0xfe, 0xff], 'utf-16be'],
    ];
    for (const [mark, encoding] of marks)
      for (const asked of ['auto', 'utf-8', 'utf-16', 'shift_jis'] satisfies AskedEncoding[])
        assert.deepEqual(await detect(Buffer.from([...mark, 0x41, 0x42]), asked, [1]), {
          encoding,
          bom: true,
        });
  });
});

describe('what was asked for', () => {
  test('is taken where no mark says otherwise', async () => {
    const text = utf8('名前\n');
    assert.deepEqual(await detect(text, 'shift_jis'), { encoding: 'shift_jis', bom: false });
    assert.deepEqual(await detect(shiftJis('名前\n'), 'utf-8'), { encoding: 'utf-8', bom: false });
  });

  test('is UTF-16 in the order that its zero bytes tell', async () => {
    for (const encoding of ['utf-16le', 'utf-16be'] as const)
      assert.deepEqual(await detect(encoded('会社,email\n', encoding), 'utf-16'), { encoding, bom: false });
  });
});

describe('the bytes', () => {
  test('are UTF-8 when all of them are, however they are divided', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 30 });
    const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(text, sizes, async (some, pieces) => {
        fc.pre(!some.startsWith('\ufeff'));
        assert.deepEqual(await detect(utf8(some), 'auto', pieces), { encoding: 'utf-8', bom: false });
      }),
    );
  });

  test('of 山田 in UTF-8 are no Shift_JIS, though they could be', async () => {
    assert.deepEqual(await detect(utf8('山田\n')), { encoding: 'utf-8', bom: false });
  });

  test('are the one with fewer faulty lines, of those with more than ASCII', async () => {
    const ascii = utf8('a,b\n'.repeat(100));
    const mostlyShiftJis = [ascii, shiftJis('日本\n'.repeat(5)), utf8('株式会社\n'), bad];
    assert.deepEqual(await detect(Buffer.concat(mostlyShiftJis)), { encoding: 'shift_jis', bom: false });
    const mostlyUtf8 = [ascii, utf8('あ\n'.repeat(5)), shiftJis('日本\n'), bad];
    assert.deepEqual(await detect(Buffer.concat(mostlyUtf8)), { encoding: 'utf-8', bom: false });
  });

  test('are UTF-8 when as many lines are faulty in both', async () => {
    const tie = Buffer.concat([utf8('あ\n'), Buffer.from([0x93, 0xfa, 0x0a])]);
    assert.deepEqual(await detect(tie), { encoding: 'utf-8', bom: false });
  });

  test('are found out the same way at the end of a long file, with any line ends', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const bytes = Buffer.concat([utf8(`a,b${end}`.repeat(100_000)), shiftJis(`日本${end}`)]);
      assert.deepEqual(await detect(bytes, 'auto', [65_536]), { encoding: 'shift_jis', bom: false });
    }
  });

  test('fail when over half of the lines are faulty in both, naming the first bad byte', async () => {
    const start = utf8('a,b\n山田\ufffd\n');
    const detected = await detect(Buffer.concat([start, utf8('山'), bad, bad, bad]), 'auto', [3, 1]);
    assert.ok('fault' in detected);
    const { code, byte, message } = detected.fault;
    assert.deepEqual([code, byte], ['bad_characters', start.length + 4]);
    assert.match(message, new RegExp(`\\b${byte}\\b`));
  });

  test('do not fail when half of the lines can be read', async () => {
    assert.deepEqual(await detect(Buffer.concat([utf8('山田\n'), bad])), { encoding: 'utf-8', bom: false });
  });

  test('of an endless line are looked at in parts', async () => {
    const bytes = Buffer.concat([Buffer.alloc(3_000_000, 'x'), shiftJis('日本')]);
    assert.deepEqual(await detect(bytes), { encoding: 'shift_jis', bom: false });
  });
});
