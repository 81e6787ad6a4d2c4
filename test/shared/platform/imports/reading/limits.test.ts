import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Encoding, LIMITS, type Row } from '../../../../../shared/platform/imports/reading/row.ts';
import { readRows } from '../../../../../shared/platform/imports/reading/rows.ts';
import { encoded, readAll, readOptions } from '../../../../support/reading.ts';

const MIB = 1_048_576;
const PIECES = [65_536];

function brief(rows: Row[]) {
  return rows.map(({ row, cells, fault, end }) => [row, cells.at(0)?.length, fault?.code ?? null, end]);
}

describe('a cell', () => {
  test('of 10,000 bytes is taken, one byte more is too long; the report keeps its beginning', async () => {
    const whole = 'x'.repeat(LIMITS.cell_bytes);
    const [fits, long] = await readAll(Buffer.from(`a,${whole}\nb,${whole}x\n`));
    assert.deepEqual([fits!.fault, fits!.cells[1]], [null, whole]);
    assert.deepEqual(long!.fault, { code: 'too_long', column: 2 });
    assert.deepEqual(long!.cells, ['b', `${'x'.repeat(1000)}…`]);
  });

  test('of a long column is bounded by its record alone', async () => {
    const long = 'x'.repeat(500_000);
    const long_columns = new Set([1]);
    const [fits, faulty] = await readAll(Buffer.from(`a,${long}\n${long},b\n`), { columns: 2, long_columns });
    assert.deepEqual([fits!.fault, fits!.cells[1]], [null, long]);
    assert.deepEqual(faulty!.fault, { code: 'too_long', column: 1 });
  });

  test('is measured as UTF-8, whatever the file is encoded in', async () => {
    for (const encoding of ['utf-8', 'utf-16le', 'shift_jis'] satisfies Encoding[]) {
      const bytes = encoded(`${'あ'.repeat(3333)}\n${'あ'.repeat(3334)}\n`, encoding);
      const rows = await readAll(bytes, { encoding, columns: 1 });
      assert.deepEqual(
        rows.map(({ fault }) => fault?.code ?? null),
        [null, 'too_long'],
        encoding,
      );
    }
  });

  test('of 10 MB spoils its row alone, with quotes and without', async () => {
    const huge = 'x'.repeat(10_000_000);
    for (const cell of [huge, `"${huge}"`]) {
      const rows = await readAll(Buffer.from(`a,b\n${cell},b\r\nc,d\n`), { columns: 2 }, PIECES);
      const end = 4 + cell.length + 4;
      assert.deepEqual(
        rows.map(({ row, fault }) => [row, fault?.code ?? null]),
        [
          [1, null],
          [2, 'too_long'],
          [3, null],
        ],
      );
      assert.deepEqual([rows[1]!.end, rows[2]!.cells], [end, ['c', 'd']]);
      assert.ok(rows[1]!.cells[0]!.length <= 4096);
    }
  });

  test('with NUL or half a surrogate pair makes its row faulty, and is kept in a form that can be stored', async () => {
    const [nul] = await readAll(Buffer.from('a,b\0c\n'));
    assert.deepEqual([nul!.fault, nul!.cells], [{ code: 'bad_characters', column: 2 }, ['a', 'b\ufffdc']]);
    const half = Buffer.from('a,\ud83d\nb,c\n', 'utf16le');
    half.writeUInt16LE(0xd83d, 4);
    const [bad, good] = await readAll(half, { encoding: 'utf-16le' }, [3], 1);
    assert.deepEqual([bad!.fault, bad!.cells], [{ code: 'bad_characters', column: 2 }, ['a', '\ufffd']]);
    assert.deepEqual([good!.fault, good!.cells], [null, ['b', 'c']]);
  });

  test('that ends with half a unit of UTF-16 makes its row faulty; the row ends with the file', async () => {
    const bytes = Buffer.concat([Buffer.from('a\nb', 'utf16le'), Buffer.from([0x41])]);
    const rows = await readAll(bytes, { encoding: 'utf-16le' }, [3, 1], 1);
    assert.deepEqual(
      rows.map(({ cells, fault, end }) => [cells, fault?.code ?? null, end]),
      [
        [['a'], null, 4],
        [['b\ufffd'], 'bad_characters', 7],
      ],
    );
  });
});

describe('a record', () => {
  test('has the same end however the bytes at its limit are divided', async () => {
    for (const spare of [-1, 0, 1, 2]) {
      const filler = 'x'.repeat(MIB + spare - 2);
      for (const record of [`a,${filler}`, `"${filler}"`, `a"${filler}`, `"${filler}\n`]) {
        const bytes = Buffer.from(`${record}\r\nb\r\n`);
        const whole = await readAll(bytes, {}, [bytes.length]);
        for (const size of [MIB - 1, MIB, MIB + 1, MIB + 2, 65_537])
          assert.deepEqual(await readAll(bytes, {}, [size, 1, 1, 3]), whole, `${spare} ${size}`);
        assert.deepEqual(whole.at(-1)!.cells, ['b']);
        assert.deepEqual(whole.at(-1)!.end, bytes.length);
      }
    }
  });

  test('without an end in sight ends with its line, however its line end is divided', async () => {
    for (const end of ['\r\n', '\r', '\n']) {
      const bytes = Buffer.from(`${'x'.repeat(2 * MIB)}${end}b\n`);
      const whole = await readAll(bytes);
      assert.deepEqual(brief(whole), [
        [1, 4096, 'too_long', 2 * MIB + end.length],
        [2, 1, null, bytes.length],
      ]);
      assert.deepEqual(await readAll(bytes, {}, [2 * MIB + 1, 1], 1), whole);
    }
  });

  test('that stays within the limit is read to its closing quote, one that does not ends with its first line', async () => {
    const lines = (size: number) => `${'x'.repeat(99)}\n`.repeat(size / 100);
    const closed = await readAll(Buffer.from(`a,"${lines(500_000)}"\nb\n`), {}, PIECES);
    assert.deepEqual(brief(closed), [
      [1, 1, 'too_long', 500_005],
      [2, 1, null, 500_007],
    ]);
    const open = await readAll(Buffer.from(`a,"${lines(2 * MIB)}"\nb\n`), {}, PIECES);
    assert.deepEqual(brief(open.slice(0, 2)), [
      [1, 1, 'unclosed_quote', 103],
      [2, 99, null, 203],
    ]);
    assert.deepEqual(open.at(-1)!.cells, ['b']);
  });

  test('of more than 256 cells is faulty, also where any number is taken', async () => {
    const cells = (count: number) => `${new Array(count).fill('x').join(',')}\n`;
    const rows = await readAll(Buffer.from(cells(256) + cells(257) + cells(100_000)));
    assert.deepEqual(
      rows.map((row) => [row.cells.length, row.fault?.code ?? null]),
      [
        [256, null],
        [256, 'column_count'],
        [256, 'column_count'],
      ],
    );
  });

  test('without an end is one faulty row to the end of the file', async () => {
    const bytes = Buffer.alloc(5 * MIB, 'x');
    const rows = await readAll(bytes, {}, PIECES);
    assert.deepEqual(brief(rows), [[1, 4096, 'too_long', bytes.length]]);
  });
});

/** What is held after everything that nobody refers to has been thrown away. */
function held(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const { heapUsed, arrayBuffers, external } = process.memoryUsage();
  return heapUsed + Math.max(arrayBuffers, external);
}

describe('memory stays flat', () => {
  const shapes: Record<string, (piece: number) => string> = {
    'over rows': () => 'a@example.jp,"Hanako",山田\r\n'.repeat(2000),
    'over an endless line': () => 'x'.repeat(65_536),
    'over an endless line of separators': () => ','.repeat(65_536),
    'over a quote that nothing closes': (piece) => (piece === 0 ? '"' : `${'x'.repeat(99)}\n`.repeat(655)),
    'over empty lines': () => '\n'.repeat(65_536),
  };
  for (const [name, textOf] of Object.entries(shapes)) {
    test(name, async () => {
      const first = Buffer.from(textOf(0));
      const piece = Buffer.from(textOf(1));
      const pieces = Math.ceil((40 * MIB) / piece.length);
      const before = held();
      const samples: number[] = [];
      async function* source() {
        for (let turn = 0; turn < pieces; turn += 1) {
          if (turn % 100 === 99) samples.push(held() - before);
          yield Buffer.from(turn === 0 ? first : piece);
        }
      }
      let end = 0;
      for await (const rows of readRows(source(), readOptions())) end = rows.at(-1)!.end;
      assert.ok(end > 0 || name.endsWith('empty lines'));
      const most = Math.max(...samples) / MIB;
      assert.ok(samples.length > 3 && most < 16, `${most} MiB were held`);
    });
  }
});
