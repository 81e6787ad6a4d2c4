import { setImmediate as turn } from 'node:timers/promises';
import type { CellFault, ImportRow, ImportSession } from '../domain.ts';
import { cellFault } from '../faults.ts';
import type { ImportField } from '../reading/field.ts';
import type { Position, Row } from '../reading/row.ts';

/** A column that is mapped to a field; `index` from 0, `name` as errors call the column. */
export type MappedColumn = { index: number; name: string; field: ImportField };

/** A column whose cells are kept by its header. */
export type KeptColumn = { index: number; name: string };

export type Columns = { mapped: readonly MappedColumn[]; kept: readonly KeptColumn[] };

/** Rows that are merged in one transaction. */
export type Chunk = {
  /** When it was made ready: what it writes carries this time. */
  now: Date;
  rows: ImportRow[];
  faults: CellFault[];
  /** Rows of the file in it, faulty ones included. */
  count: number;
  /** Where the file goes on after it. */
  end: Position;
  prepared: unknown;
};

/** Rows handled before others in the process get their turn: some milliseconds' worth. */
const SLICE = 512;

export type ChunkOptions = {
  columns: Columns;
  session: ImportSession;
  clock: () => Date;
  /** How many rows the next chunk may have. */
  size: () => number;
};

/** Divides the rows of a file into chunks, each parsed and made ready for the database. */
export async function* chunksOf(
  batches: AsyncIterable<Row[]>,
  { columns, session, clock, size }: ChunkOptions,
): AsyncGenerator<Chunk, void, void> {
  let waiting: Row[] = [];
  for await (const batch of batches) {
    waiting = waiting.length === 0 ? batch : [...waiting, ...batch];
    let from = 0;
    for (let most = size(); waiting.length - from >= most; most = size()) {
      yield await made(waiting.slice(from, from + most));
      from += most;
    }
    if (from > 0) waiting = waiting.slice(from);
    await turn();
  }
  if (waiting.length > 0) yield await made(waiting);

  async function made(rows: Row[]): Promise<Chunk> {
    const chunk: Chunk = {
      ...{ now: clock(), rows: [], faults: [], count: rows.length, prepared: null },
      end: { byte: rows.at(-1)!.end, row: rows.at(-1)!.row + 1 },
    };
    for (let from = 0; from < rows.length; from += SLICE) {
      const to = Math.min(from + SLICE, rows.length);
      for (let index = from; index < to; index += 1) takeRow(rows[index]!, columns, chunk);
      await turn();
    }
    if (session.prepare) {
      chunk.prepared = session.prepare(chunk.rows, chunk.now);
      // Thousands of rows less to be carried along by the garbage collector.
      chunk.rows = [];
    }
    return chunk;
  }
}

/** Parses the cells of a row; what is wrong with them goes to the chunk's faults, one entry each. */
export function takeRow(row: Row, { mapped, kept }: Columns, chunk: Pick<Chunk, 'rows' | 'faults'>): void {
  if (row.fault) {
    const { code, column } = row.fault;
    const name = column === null ? null : (nameOf(column - 1, mapped, kept) ?? String(column));
    chunk.faults.push(cellFault(row, code, name));
    return;
  }
  const { cells } = row;
  const values: Record<string, unknown> = {};
  let isFaulty = false;
  for (const { index, name, field } of mapped) {
    const cell = cells[index]!.trim();
    if (cell === '') {
      values[field.name] = undefined;
      if (field.required) {
        isFaulty = true;
        chunk.faults.push(cellFault(row, `missing_${field.name}`, name));
      }
      continue;
    }
    const parsed = field.parse(cell);
    if ('fault' in parsed) {
      isFaulty = true;
      chunk.faults.push(cellFault(row, parsed.fault, name));
    } else values[field.name] = parsed.value;
  }
  if (isFaulty) return;
  chunk.rows.push({ row: row.row, cells, values, unmapped: kept.length > 0 ? keptCells(cells, kept) : null });
}

function keptCells(cells: readonly string[], kept: readonly KeptColumn[]): Record<string, string> | null {
  let found: Record<string, string> | null = null;
  for (const { index, name } of kept) {
    const cell = cells[index]!.trim();
    if (cell === '') continue;
    found ??= {};
    found[name] = cell;
  }
  return found;
}

function nameOf(index: number, ...columns: (readonly KeptColumn[])[]): string | undefined {
  return columns.flat().find((column) => column.index === index)?.name;
}
