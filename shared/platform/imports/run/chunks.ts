import { setImmediate as turn } from 'node:timers/promises';
import type { Text } from '../../../kernel/language.ts';
import { cellError } from '../cell-errors.ts';
import type { CellError, Gathering, ImportRow, ImportSession } from '../domain.ts';
import { isSpoiled } from '../reading/cells.ts';
import type { Position, Row } from '../reading/row.ts';
import type { Columns, KeptColumn } from './columns.ts';
import { unitsOf } from './units.ts';

/** Rows that are merged in one transaction. */
export type Chunk = {
  /** When its first row was read: what it writes carries this time. */
  now: Date;
  /** None where the session gathers them; with faulty ones where it judges them. */
  rows: ImportRow[];
  faults: CellError[];
  /** Rows of the file in it, faulty ones included. */
  count: number;
  /** Where the file goes on after it. */
  end: Position;
  prepared: unknown;
};

/** A chunk that is not full yet. */
type Filling = { chunk: Chunk; start: number; most: number; gathering: Gathering | null };

/**
 * Bytes of the file from which on a chunk takes no more rows: twenty thousand usual rows have fewer, those with long
 * texts would fill the memory and keep the database busy for seconds.
 */
const MOST_BYTES = 2 * 1024 * 1024;

/** Rows handled before others in the process get their turn: less than a millisecond, since the server waits too. */
const SLICE = 128;

export type ChunkOptions = {
  columns: Columns;
  session: ImportSession;
  clock: () => Date;
  /** How many rows the next chunk may have. */
  size: () => number;
  /** The byte of the file at which the rows begin. */
  start: number;
};

/** Divides the rows of a file into chunks, each parsed and made ready for the database as its rows come. */
export async function* chunksOf(
  batches: AsyncIterable<Row[]>,
  { columns, session, clock, size, start }: ChunkOptions,
): AsyncGenerator<Chunk, void, void> {
  let filling: Filling | null = null;
  let byte = start;
  const units = session.units?.();
  for await (const batch of units ? unitsOf(batches, columns, { reader: units, start }) : batches) {
    const unit = units && batch[0]!.row;
    for (let from = 0; from < batch.length; ) {
      filling ??= begun(session, clock(), { most: size(), start: byte });
      const { chunk, most } = filling;
      const to = units ? batch.length : Math.min(batch.length, from + SLICE, from + most - chunk.count);
      for (let index = from; index < to; index += 1)
        takeRow(batch[index]!, { columns, session, filling, unit });
      const last = batch[to - 1]!;
      chunk.count += to - from;
      chunk.end = { byte: last.end, row: last.row + 1 };
      byte = last.end;
      from = to;
      await turn();
      if (chunk.count < most && byte - filling.start < MOST_BYTES) continue;
      yield made(filling);
      filling = null;
    }
  }
  if (filling !== null) yield made(filling);
}

function begun(session: ImportSession, now: Date, { most, start }: Pick<Filling, 'most' | 'start'>): Filling {
  const end = { byte: 0, row: 0 };
  const chunk: Chunk = { now, rows: [], faults: [], count: 0, end, prepared: null };
  return { chunk, most, start, gathering: session.gather?.(now) ?? null };
}

function made({ chunk, gathering }: Filling): Chunk {
  return gathering === null ? chunk : { ...chunk, prepared: gathering.done() };
}

type Taking = { columns: Columns; session: ImportSession; filling: Filling; unit: number | undefined };

/** Parses the cells of a row; what is wrong with them goes to the chunk's faults, one entry each. */
function takeRow(
  row: Row,
  { columns: { count, mapped, kept }, session, filling: { chunk, gathering }, unit }: Taking,
): void {
  const { cells, fault } = readAs(row, count, session);
  if (fault) {
    const { code, column } = fault;
    const name = column === null ? null : (nameOf(column - 1, mapped, kept) ?? String(column));
    chunk.faults.push(cellError(row, code, name));
    // Nobody knows which cell belongs to which column.
    if (column === null || cells.length !== count) {
      if (unit === undefined && !session.keyOf) return;
      const values = session.keyOf ? fittingValues(cells, mapped) : {};
      chunk.rows.push({
        row: row.row,
        cells,
        values,
        unmapped: null,
        faulty_fields: [],
        ...(unit && { unit }),
      });
      return;
    }
  }
  const values: Record<string, unknown> = {};
  let faulty_fields: string[] | null = fault ? [] : null;
  for (const { index, name, field } of mapped) {
    const cell = cells[index]!.trim();
    let code: string | null = null;
    let detail: Text | undefined;
    values[field.name] = undefined;
    if (fault?.column === index + 1) {
      faulty_fields?.push(field.name);
    } else if (fault && isSpoiled(cell)) {
      code = 'bad_characters';
    } else if (cell === '') {
      if (field.required === true) code = `missing_${field.name}`;
    } else {
      const parsed = field.parse(cell);
      if ('fault' in parsed) ({ fault: code, detail } = parsed);
      else values[field.name] = parsed.value;
    }
    if (code === null) continue;
    faulty_fields ??= [];
    faulty_fields.push(field.name);
    chunk.faults.push(cellError(row, code, name, detail));
  }
  if (faulty_fields !== null) {
    if (session.judges_faulty || session.keyOf || unit !== undefined)
      chunk.rows.push({ row: row.row, cells, values, unmapped: null, faulty_fields, ...(unit && { unit }) });
    return;
  }
  const unmapped = kept.length > 0 ? keptCells(cells, kept) : null;
  const taken: ImportRow = { row: row.row, cells, values, unmapped, ...(unit && { unit }) };
  if (gathering === null) chunk.rows.push(taken);
  else gathering.take(taken);
}

function readAs({ cells, fault }: Row, count: number, session: ImportSession): Pick<Row, 'cells' | 'fault'> {
  if (fault?.code !== 'column_count' || !session.evens?.(cells)) return { cells, fault };
  return { cells: Array.from({ length: count }, (_, place) => cells[place] ?? ''), fault: null };
}

/** What a row that cannot be read seems to say: only what record it is of is asked of it. */
function fittingValues(cells: readonly string[], mapped: Columns['mapped']): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { index, field } of mapped) {
    const cell = cells[index]?.trim() ?? '';
    const parsed = cell === '' || isSpoiled(cell) ? null : field.parse(cell);
    if (parsed && 'value' in parsed) values[field.name] = parsed.value;
  }
  return values;
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
