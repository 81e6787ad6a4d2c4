import { commonLetter } from './letters.ts';

/** Letters from one to another, whose glyphs follow each other. */
type Run = { from: number; to: number; glyph: number };

/**
 * A TrueType font without the letters that it draws like a common one (`commonLetter`): the glyph is the common
 * letter's alone. Without accents that stand alone too: with them a letter such as Š, which these fonts lack, would be
 * put together askew instead of being looked for in the next font. Throws for a font whose table of letters is of another kind.
 */
export function withCommonLetters(font: Buffer): Buffer {
  const patched = Buffer.from(font);
  for (const table of letterTables(patched)) writeRuns(patched, table, keptRuns(readRuns(patched, table)));
  return patched;
}

/** Where the tables of all letters (`cmap`, format 12) begin: records of 16 bytes follow 12 of a header. */
function letterTables(font: Buffer): Set<number> {
  const records = Array.from({ length: font.readUInt16BE(4) }, (_, place) => 12 + place * 16);
  const record = records.find((offset) => font.toString('latin1', offset, offset + 4) === 'cmap');
  if (record === undefined) throw new Error('The font has no table of letters');
  const cmap = font.readUInt32BE(record + 8);
  const tables = Array.from({ length: font.readUInt16BE(cmap + 2) }, (_, place) => {
    return cmap + font.readUInt32BE(cmap + 4 + place * 8 + 4);
  });
  const full = new Set(tables.filter((table) => font.readUInt16BE(table) === 12));
  if (full.size === 0) throw new Error('The font has no table of all its letters');
  return full;
}

function readRuns(font: Buffer, table: number): Run[] {
  return Array.from({ length: font.readUInt32BE(table + 12) }, (_, place) => {
    const offset = table + 16 + place * 12;
    const at = (field: number) => font.readUInt32BE(offset + field);
    return { from: at(0), to: at(4), glyph: at(8) };
  });
}

/** All but accents and the letters whose glyph is that of their common one, in runs as long as they were where that is possible. */
function keptRuns(runs: readonly Run[]): Run[] {
  const kept: Run[] = [];
  for (const run of runs) {
    let from = run.from;
    for (let letter = run.from; letter <= run.to; letter += 1) {
      if (!isAccent(letter) && !isTwin(runs, letter, run.glyph + letter - run.from)) continue;
      if (from < letter) kept.push({ from, to: letter - 1, glyph: run.glyph + from - run.from });
      from = letter + 1;
    }
    if (from <= run.to) kept.push({ from, to: run.to, glyph: run.glyph + from - run.from });
  }
  return kept;
}

function isAccent(letter: number): boolean {
  return letter >= 0x300 && letter <= 0x36f;
}

/** Whether the glyph is that of a common letter which looks the same. */
function isTwin(runs: readonly Run[], letter: number, glyph: number): boolean {
  const common = commonLetter(String.fromCodePoint(letter)).codePointAt(0)!;
  return common !== letter && glyphOf(runs, common) === glyph;
}

function glyphOf(runs: readonly Run[], letter: number): number | undefined {
  const run = runs.find(({ from, to }) => from <= letter && letter <= to);
  return run && run.glyph + letter - run.from;
}

/** In the place of those that were there: they are fewer, and what follows the table keeps its place. */
function writeRuns(font: Buffer, table: number, runs: readonly Run[]): void {
  if (runs.length > font.readUInt32BE(table + 12)) throw new Error('The table of letters would grow');
  font.writeUInt32BE(16 + 12 * runs.length, table + 4);
  font.writeUInt32BE(runs.length, table + 12);
  for (const [place, { from, to, glyph }] of runs.entries()) {
    const offset = table + 16 + place * 12;
    font.writeUInt32BE(from, offset);
    font.writeUInt32BE(to, offset + 4);
    font.writeUInt32BE(glyph, offset + 8);
  }
}
