import { faultOf, isSpoiled, reportable, splitRecords, unguard, withQuotesAtEnds } from './cells.ts';
import { afterLine, type Cut, cutRecord, type Stretch } from './records.ts';
import { DELIMITERS, type Delimiter, type Encoding, LIMITS, type Position, type Row } from './row.ts';
import { type Block, blockOf, unitWidth } from './text.ts';

export type ReadOptions = {
  encoding: Encoding;
  delimiter: Delimiter;
  /** How many cells each row must have; null for any number up to the limit. */
  columns: number | null;
  /** The places from 0 of columns whose cells may be as long as their record. */
  long_columns?: ReadonlySet<number>;
  start: Position;
};

/** Bytes that are cut and decoded at once: a thousand rows, so that calls cost little and few rows are held. */
const BLOCK_BYTES = 65_536;

/** Rows of a batch at most: the shortest lines are a few bytes, and take a hundred times as much as rows. */
const MOST_ROWS = 5_000;

/** Bytes shown of a record that is too long to be held. */
const SHOWN = 4_096;

/**
 * The rows of a file, in batches, from bytes that begin at `start`. How the bytes are divided changes nothing, and
 * reading on at a row's `end`, with the number after its own, gives the same rest. Memory is bounded whatever the file
 * holds: some MiB.
 */
export async function* readRows(
  source: AsyncIterable<Uint8Array>,
  options: ReadOptions,
  block_bytes = BLOCK_BYTES,
): AsyncGenerator<Row[], void, void> {
  const reader = new RowReader(options);
  let chunks: Uint8Array[] = [];
  let size = 0;
  let wanted = block_bytes;
  for await (const chunk of source) {
    chunks.push(chunk);
    size += chunk.length;
    if (size < wanted) continue;
    const rest = yield* reader.readAll(joined(chunks, size), false);
    chunks = [rest];
    size = rest.length;
    // Twice what a record that goes on has already: it is looked at a few times, not once for every chunk.
    wanted = Math.max(block_bytes, size * 2);
  }
  yield* reader.readAll(joined(chunks, size), true);
}

/** The first rows of bytes that are all there, 5,000 at most; `final` says whether the file ends with them. */
export function rowsOf(bytes: Uint8Array, options: ReadOptions, final: boolean): Row[] {
  return new RowReader(options).read(bytes, final).rows;
}

function joined(chunks: Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

type LineEnd = '\n' | '\r' | '\r\n';

/** Records that follow each other with the same line ends: decoded and split by one call. */
type Run = {
  from: number;
  to: number;
  next: number;
  line_end: LineEnd;
  /** The line end of the run's last record: another one than the run's ends it. */
  last_line_end: LineEnd;
  longest: number;
  numbers: number[];
  nexts: number[];
};

/** A text that was cut at any byte, without the letter that it was cut in. */
function withoutHalfLetter(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\ufffd') end -= 1;
  return text.slice(0, end);
}

class RowReader {
  readonly #options: ReadOptions;
  readonly #separator: string;
  readonly #width: 1 | 2;
  #byte: number;
  #number: number;
  /** A record that is too long to be held: it becomes a row when the end of its line is found. */
  #endless: Row | null = null;
  #run: Run | null = null;
  #block!: Block;
  #block_bytes = 0;
  #rows: Row[] = [];

  constructor(options: ReadOptions) {
    this.#options = options;
    this.#separator = DELIMITERS[options.delimiter];
    this.#width = unitWidth(options.encoding);
    this.#byte = options.start.byte;
    this.#number = options.start.row;
  }

  /** All rows that end in these bytes, which begin where the last ones were read to; answers what is left of them. */
  *readAll(bytes: Uint8Array, final: boolean): Generator<Row[], Uint8Array> {
    let left = bytes;
    for (;;) {
      const { rows, read, full } = this.read(left, final);
      left = left.subarray(read);
      if (rows.length > 0) yield rows;
      if (!full) return left;
    }
  }

  /** A batch of rows, how many bytes they took, and whether there may be more of them in these. */
  read(bytes: Uint8Array, final: boolean): { rows: Row[]; read: number; full: boolean } {
    this.#block_bytes = final ? bytes.length : bytes.length - (bytes.length % this.#width);
    this.#block = blockOf(this.#options.encoding, bytes.subarray(0, this.#block_bytes));
    this.#rows = [];
    const { units } = this.#block;
    const stretch = { units, from: 0, to: units.length, final };
    const separator = this.#separator.charCodeAt(0);
    const cut: Cut = { start: 0, end: 0, next: 0, shape: 'plain' };
    let records = 0;
    for (; records < MOST_ROWS; records += 1) {
      if (this.#endless !== null && !this.#skipLine(stretch, this.#endless)) break;
      if (!cutRecord(stretch, separator, cut)) break;
      this.#take(cut);
      stretch.from = cut.shape === 'endless' ? cut.start : cut.next;
    }
    this.#finishRun();
    const read = Math.min(stretch.from * this.#width, this.#block_bytes);
    this.#byte += read;
    return { rows: this.#rows, read, full: records === MOST_ROWS };
  }

  #take(cut: Cut): void {
    const number = this.#number;
    this.#number += 1;
    if (cut.shape === 'empty') return;
    if (cut.shape === 'plain' || cut.shape === 'quoted') this.#takeWellFormed(cut, number);
    else this.#takeFaulty(cut, number);
  }

  #takeFaulty(cut: Cut, number: number): void {
    this.#finishRun();
    const row: Row = { row: number, cells: [], fault: null, end: this.#endOf(cut.next) };
    if (cut.shape === 'endless') {
      const shown = withoutHalfLetter(this.#block.text(cut.start, cut.start + SHOWN));
      row.cells = reportable(shown.split(this.#separator));
      row.fault = { code: 'too_long', column: null };
      this.#endless = row;
      return;
    }
    const text = this.#block.text(cut.start, cut.end);
    if (cut.shape === 'odd') {
      row.cells = splitRecords(withQuotesAtEnds(text, this.#separator), this.#separator, '\n')[0]!;
      unguard(row.cells);
      this.#judge(row);
    } else {
      row.cells = reportable(text.split(this.#separator));
      row.fault = { code: 'unclosed_quote', column: null };
    }
    this.#rows.push(row);
  }

  #judge(row: Row): void {
    const { columns, long_columns } = this.#options;
    row.fault = faultOf(row.cells, columns, long_columns);
    if (row.fault !== null) row.cells = reportable(row.cells);
  }

  #endOf(index: number): number {
    return this.#byte + Math.min(index * this.#width, this.#block_bytes);
  }

  /** Looks for the end of a line that is too long; false when it is not in this block. */
  #skipLine(stretch: Stretch, row: Row): boolean {
    const next = afterLine(stretch);
    if (next < 0) {
      const mayGoOn = stretch.units[stretch.to - 1] === 0x0d;
      stretch.from = mayGoOn ? stretch.to - 1 : stretch.to;
      return false;
    }
    row.end = this.#endOf(next);
    this.#rows.push(row);
    this.#endless = null;
    stretch.from = next;
    return true;
  }

  #takeWellFormed({ start, end, next }: Cut, number: number): void {
    const line_end: LineEnd = next - end === 2 ? '\r\n' : this.#block.units[end] === 0x0d ? '\r' : '\n';
    let run = this.#run;
    if (run === null || start !== run.next || run.last_line_end !== run.line_end) {
      this.#finishRun();
      run = {
        from: start,
        to: end,
        next,
        line_end,
        last_line_end: line_end,
        longest: 0,
        numbers: [],
        nexts: [],
      };
      this.#run = run;
    }
    run.to = end;
    run.next = next;
    run.last_line_end = line_end;
    if (end - start > run.longest) run.longest = end - start;
    run.numbers.push(number);
    run.nexts.push(next);
  }

  #finishRun(): void {
    const run = this.#run;
    if (run === null) return;
    this.#run = null;
    const text = this.#block.text(run.from, run.to);
    const records = splitRecords(text, this.#separator, run.line_end);
    if (records.length !== run.nexts.length)
      throw new Error(`${run.nexts.length} records were cut, ${records.length} came out of them`);
    const guarded = text.includes("'");
    // No unit of any encoding becomes more than three bytes of UTF-8.
    const doubtful = run.longest * 3 > LIMITS.cell_bytes || isSpoiled(text);
    for (let index = 0; index < records.length; index += 1) {
      const cells = records[index]!;
      if (guarded) unguard(cells);
      const row: Row = { row: run.numbers[index]!, cells, fault: null, end: this.#endOf(run.nexts[index]!) };
      if (doubtful || cells.length !== this.#options.columns) this.#judge(row);
      this.#rows.push(row);
    }
  }
}
