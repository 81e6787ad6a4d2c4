import { isFiltered, pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { countMembers } from '../members/counts.ts';
import { type Position, PositionModel, positionKind } from './record.ts';

export const positionColumns = [
  'id',
  'name',
  'code',
  'sort_order',
  'external_id',
  'metadata',
  'created_at',
  'updated_at',
] as const;

export type PositionRow = Omit<Position, 'object' | 'member_count'>;

/** A row as the API shows it. */
export function positionOf(row: PositionRow, member_count: number): Position {
  const { id, external_id, metadata, created_at, updated_at, ...fields } = row;
  const object = 'attendance.position' as const;
  return { id, object, ...fields, member_count, external_id, metadata, created_at, updated_at };
}

const BY_ID = `SELECT ${positionColumns.join(', ')} FROM attendance_positions WHERE organization_id = $1 AND id = $2`;

/** One position, locked until the work commits where it is to be changed or removed. Errors: `not_found`. */
export async function positionById(
  reader: Reader,
  id: string,
  lock: '' | 'FOR NO KEY UPDATE' | 'FOR UPDATE' = '',
): Promise<Position> {
  const [[row], countOf] = await Promise.all([
    reader.connection.query<PositionRow>(`${BY_ID} ${lock}`, [reader.organization_id, id]),
    countMembers(reader, 'position_id', [id]),
  ]);
  if (!row) throw notFound();
  return positionOf(row, countOf(id));
}

/** A window of the positions. */
export async function positionPage(
  reader: Reader,
  filters: LookUps,
  window: Window,
): Promise<Page<Position>> {
  const page = await pageOf<PositionRow>(reader, {
    query: PositionModel.table(reader),
    table: PositionModel.tableName,
    columns: positionColumns,
    prefix: 'posn',
    sorts: { name: 'name', sort_order: 'sort_order' },
    window,
    is_filtered: isFiltered(filters),
    look_ups: { kind: positionKind, asked: filters },
  });
  const countOf = await countMembers(
    reader,
    'position_id',
    page.rows.map(({ id }) => id),
  );
  return { ...page, rows: page.rows.map((row) => positionOf(row, countOf(row.id))) };
}
