import { isFiltered, pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { countMembers } from '../members/counts.ts';
import { type Department, DepartmentModel, departmentKind } from './record.ts';

export const departmentColumns = [
  'id',
  'name',
  'code',
  'parent_id',
  'manager_member_id',
  'sort_order',
  'external_id',
  'metadata',
  'created_at',
  'updated_at',
] as const;

export type DepartmentRow = Omit<Department, 'object' | 'member_count'>;

/** A row as the API shows it. */
export function departmentOf(row: DepartmentRow, member_count: number): Department {
  const { id, external_id, metadata, created_at, updated_at, ...fields } = row;
  const object = 'attendance.department' as const;
  return { id, object, ...fields, member_count, external_id, metadata, created_at, updated_at };
}

const BY_ID = `SELECT ${departmentColumns.join(', ')} FROM attendance_departments WHERE organization_id = $1 AND id = $2`;

/** One department. Errors: `not_found`. */
export async function departmentById(reader: Reader, id: string): Promise<Department> {
  return readDepartment(reader, BY_ID, id);
}

/** The same, its row locked until the work commits; for a removal nothing can refer to it meanwhile. Errors: `not_found`. */
export async function lockDepartment(
  reader: Reader,
  id: string,
  purpose: 'change' | 'removal' = 'change',
): Promise<Department> {
  return readDepartment(reader, `${BY_ID} ${purpose === 'change' ? 'FOR NO KEY UPDATE' : 'FOR UPDATE'}`, id);
}

async function readDepartment(reader: Reader, text: string, id: string): Promise<Department> {
  const [[row], countOf] = await Promise.all([
    reader.connection.query<DepartmentRow>(text, [reader.organization_id, id]),
    countMembers(reader, 'department_id', [id]),
  ]);
  if (!row) throw notFound();
  return departmentOf(row, countOf(id));
}

export type DepartmentFilters = LookUps & { parent_id?: string };

/** A window of the departments. */
export async function departmentPage(
  reader: Reader,
  filters: DepartmentFilters,
  window: Window,
): Promise<Page<Department>> {
  const query = DepartmentModel.table(reader);
  if (filters.parent_id !== undefined) query.where('attendance_departments.parent_id', filters.parent_id);
  const page = await pageOf<DepartmentRow>(reader, {
    query,
    table: DepartmentModel.tableName,
    columns: departmentColumns,
    prefix: 'dept',
    sorts: { name: 'name', sort_order: 'sort_order' },
    window,
    is_filtered: isFiltered(filters),
    look_ups: { kind: departmentKind, asked: filters },
  });
  const countOf = await countMembers(
    reader,
    'department_id',
    page.rows.map(({ id }) => id),
  );
  return { ...page, rows: page.rows.map((row) => departmentOf(row, countOf(row.id))) };
}
