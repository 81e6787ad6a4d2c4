import { reasons } from '../../operators/reasons.ts';
import type { UnitReader, UnitRow } from '../domain.ts';
import { ImportFailure } from '../import-failure.ts';
import { isSpoiled } from '../reading/cells.ts';
import type { Row } from '../reading/row.ts';
import type { Columns } from './columns.ts';

/** What a unit may have: its rows are held, and written by one transaction. */
const MOST_ROWS = 20_000;
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Regroups rows so that each batch is a whole unit: the rows of one record. Errors: `record_too_long`, which fails the import.
 */
export async function* unitsOf(
  batches: AsyncIterable<Row[]>,
  { count, mapped }: Columns,
  { reader, start }: { reader: UnitReader; start: number },
): AsyncGenerator<Row[], void, void> {
  const places = placesOf(mapped);
  let unit: Row[] = [];
  let before = start;
  for await (const batch of batches) {
    for (const row of batch) {
      const { cells, fault } = row;
      const is_readable = cells.length === count && (fault === null || fault.column !== null);
      if (reader.begins(unitRow(cells, is_readable, places)) && unit.length > 0) {
        yield unit;
        before = unit.at(-1)!.end;
        unit = [];
      }
      unit.push(row);
      if (unit.length > MOST_ROWS || row.end - before > MOST_BYTES) throw tooLong(unit[0]!);
    }
  }
  if (unit.length > 0) yield unit;
}

/** The places of the columns by the fields that they are mapped to. */
export function placesOf(mapped: Columns['mapped']): ReadonlyMap<string, number> {
  return new Map(mapped.map(({ index, field }) => [field.name, index]));
}

/** A row as records are told apart by. */
export function unitRow(
  cells: readonly string[],
  is_readable: boolean,
  places: ReadonlyMap<string, number>,
): UnitRow {
  const cell = (name: string) => {
    const text = is_readable ? (cells[places.get(name) ?? -1]?.trim() ?? '') : '';
    return isSpoiled(text) ? '' : text;
  };
  return { is_readable, cell };
}

function tooLong({ row }: Row): ImportFailure {
  return new ImportFailure('record_too_long', reasons.record_too_long(row, MOST_ROWS).en);
}
