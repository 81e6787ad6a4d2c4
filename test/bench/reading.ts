import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import iconv from 'iconv-lite';
import Papa from 'papaparse';
import { detectEncoding } from '../../shared/platform/imports/reading/encoding.ts';
import { DELIMITERS, type Delimiter, type Encoding } from '../../shared/platform/imports/reading/row.ts';
import { readRows } from '../../shared/platform/imports/reading/rows.ts';

const ROWS = Number(process.env['BENCH_ROWS'] ?? 300_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const CHUNK = 65_536;

type Case = { name: string; encoding: Encoding; delimiter: Delimiter; row: (n: number) => string };

const ascii = (n: number) =>
  ['user', n, '@example.co.jp,Hanako,Yamada', n, ',Example Trading ', n % 5000].join('');
const japanese = (n: number) => `user${n}@example.co.jp,花子,山田${n % 100},株式会社髙﨑商事${n % 5000}`;
const quoted = (row: (n: number) => string) => (n: number) => `"${row(n).replaceAll(',', '","')}"`;
const tabs = (row: (n: number) => string) => (n: number) => row(n).replaceAll(',', '\t');

const cases: Case[] = [
  { name: 'ASCII', encoding: 'utf-8', delimiter: 'comma', row: ascii },
  { name: 'ASCII, quoted', encoding: 'utf-8', delimiter: 'comma', row: quoted(ascii) },
  { name: 'Japanese, UTF-8', encoding: 'utf-8', delimiter: 'comma', row: japanese },
  { name: 'Japanese, UTF-8, quoted', encoding: 'utf-8', delimiter: 'comma', row: quoted(japanese) },
  { name: 'Japanese, Shift_JIS', encoding: 'shift_jis', delimiter: 'comma', row: japanese },
  { name: 'Japanese, Shift_JIS, quoted', encoding: 'shift_jis', delimiter: 'comma', row: quoted(japanese) },
  { name: 'Japanese, UTF-16, tabs', encoding: 'utf-16le', delimiter: 'tab', row: tabs(japanese) },
];

/** Reading beside two parsers that get decoded text and keep no places, in turns, on the same rows. */
export async function bench(): Promise<string> {
  const lines = [
    `${ROWS} rows of four cells, best of ${ROUNDS}; rows a second`,
    '| | ours, from bytes | papaparse, from text | csv-parse, from text | ours/papaparse | encoding found in ms |',
    '|---|---|---|---|---|---|',
  ];
  for (const each of cases) {
    const texts = chunksOf(each);
    const bytes = pieces(
      iconv.encode(texts.join(''), each.encoding === 'shift_jis' ? 'cp932' : each.encoding),
    );
    const best = { ours: 0, papaparse: 0, csvParse: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      best.ours = Math.max(best.ours, await speed(() => ours(bytes, each)));
      best.papaparse = Math.max(best.papaparse, await speed(() => withPapaparse(texts, each)));
      if (round === 0) best.csvParse = Math.max(best.csvParse, await speed(() => withCsvParse(texts, each)));
    }
    const start = performance.now();
    await detectEncoding(() => source(bytes), each.encoding === 'utf-16le' ? 'utf-16' : 'auto');
    const detection = performance.now() - start;
    const share = (best.ours / best.papaparse).toFixed(2);
    lines.push(
      `| ${[each.name, ...Object.values(best).map(Math.round), share, Math.round(detection)].join(' | ')} |`,
    );
  }
  return lines.join('\n');
}

async function speed(run: () => Promise<number>): Promise<number> {
  const start = performance.now();
  assert.equal(await run(), ROWS);
  return (ROWS * 1000) / (performance.now() - start);
}

async function ours(bytes: Buffer[], { encoding, delimiter }: Case): Promise<number> {
  let rows = 0;
  const options = { encoding, delimiter, columns: 4, start: { byte: 0, row: 1 } };
  for await (const batch of readRows(source(bytes), options)) rows += batch.length;
  return rows;
}

/** Text in pieces that end with rows: the least that any reading with this library costs. */
async function withPapaparse(texts: string[], { delimiter }: Case): Promise<number> {
  let rows = 0;
  for (const text of texts) {
    const { data } = Papa.parse<string[]>(text.trimEnd(), {
      delimiter: DELIMITERS[delimiter],
      newline: '\r\n',
    });
    rows += data.length;
  }
  return rows;
}

async function withCsvParse(texts: string[], { delimiter }: Case): Promise<number> {
  const parser = Readable.from(texts).pipe(parse({ delimiter: DELIMITERS[delimiter] }));
  let rows = 0;
  for await (const _row of parser) rows += 1;
  return rows;
}

async function* source(bytes: Buffer[]): AsyncGenerator<Buffer, void, void> {
  yield* bytes;
}

function chunksOf({ row }: Case): string[] {
  const texts: string[] = [];
  for (let at = 0; at < ROWS; at += 1000)
    texts.push(Array.from({ length: Math.min(1000, ROWS - at) }, (_, n) => `${row(at + n)}\r\n`).join(''));
  return texts;
}

function pieces(bytes: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / CHUNK) }, (_, n) =>
    bytes.subarray(n * CHUNK, (n + 1) * CHUNK),
  );
}
