import { invalidAll } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { countMembers } from '../members/counts.ts';
import { refuseRepeatedCodes } from '../repeated-codes.ts';
import { newDepartment, saveDepartment } from './operations.ts';
import { type DepartmentRow, departmentColumns, departmentOf } from './queries.ts';
import {
  CODE_ONCE,
  type Department,
  type DepartmentItem,
  DepartmentModel,
  departmentFacts,
} from './record.ts';
import { lockTree, parentsOf, requireTree } from './tree.ts';

export type BatchOutcome<Item> = { created: number; updated: number; items: Item[] };

/**
 * Makes the departments of codes that are new and changes the others, all or none. Parents may be in the batch, before or
 * behind. Errors: `validation_failed` and `cycle` at /items/n/field.
 */
export async function writeDepartments(
  work: Work,
  items: readonly DepartmentItem[],
): Promise<BatchOutcome<Department>> {
  refuseRepeatedCodes(items);
  // Another request may make or take one of the codes at this moment: run again, the batch changes what has it.
  work.repeatOn(CODE_ONCE);
  await lockTree(work);
  const known = await departmentsByCode(work, items);
  const countOf = await countMembers(
    work,
    'department_id',
    [...known.values()].map(({ id }) => id),
  );
  const rows = items.map((item) => known.get(item.code) ?? newDepartment(work, item));
  const byCode = new Map([...known, ...rows.map((row, place) => [items[place]!.code, row] as const)]);
  requireParents(items, byCode);
  const placed = rows.map((row, place) => {
    const { parent_code, name, sort_order = row.sort_order } = items[place]!;
    const parent_id =
      parent_code === undefined ? row.parent_id : parent_code === null ? null : byCode.get(parent_code)!.id;
    return { ...row, name, sort_order, parent_id };
  });
  const parents = await parentsOf(work);
  for (const { id, parent_id } of placed) parents.set(id, parent_id);
  requireTree(parents, (id) => `/items/${Math.max(indexIn(placed, parents, id), 0)}/parent_code`);
  const shown = placed.map((row) => departmentOf(row, countOf(row.id)));
  const isNew = (place: number) => !known.has(items[place]!.code);
  // A foreign key is looked at when its statement ends: all new rows are inserted by one.
  work.insertAll(
    DepartmentModel,
    placed.filter((_, place) => isNew(place)),
  );
  let updated = 0;
  const written = shown.map((department, place) => {
    const before = rows[place]!;
    if (isNew(place)) {
      work.record(departmentFacts.created, { before: null, after: department });
      return department;
    }
    const after = saveDepartment(work, departmentOf(before, countOf(before.id)), department);
    if (after.updated_at !== before.updated_at) updated += 1;
    return after;
  });
  if (written.length === 0) work.nothingChanged();
  return { created: items.filter((_, place) => isNew(place)).length, updated, items: written };
}

/** The place in the batch of a department, or of the first above it that is in the batch. */
function indexIn(
  placed: readonly DepartmentRow[],
  parents: ReadonlyMap<string, string | null>,
  id: string,
): number {
  const seen = new Set<string>();
  for (let at: string | null = id; at !== null && !seen.has(at); at = parents.get(at) ?? null) {
    seen.add(at);
    const index = placed.findIndex((row) => row.id === at);
    if (index >= 0) return index;
  }
  return -1;
}

/** The rows of all codes that a batch names, locked in the order of their IDs. */
async function departmentsByCode(
  work: Work,
  items: readonly DepartmentItem[],
): Promise<Map<string, DepartmentRow>> {
  const codes = [...new Set(items.flatMap(({ code, parent_code }) => [code, parent_code ?? code]))];
  const rows = await work.connection.query<DepartmentRow>(
    `SELECT ${departmentColumns.join(', ')} FROM attendance_departments
      WHERE organization_id = $1 AND code = ANY ($2) ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, codes],
  );
  return new Map(rows.map((row) => [row.code!, row]));
}

function requireParents(items: readonly DepartmentItem[], byCode: ReadonlyMap<string, unknown>): void {
  const faults = items.flatMap(({ parent_code }, index) =>
    parent_code == null || byCode.has(parent_code)
      ? []
      : [
          {
            in: 'body' as const,
            path: `/items/${index}/parent_code`,
            code: 'unknown_reference',
            message: {
              en: `${parent_code} is the code of no department, neither in this batch nor before`,
              ja: `${parent_code} というコードの部署は、このリクエストにも登録済みの部署にもありません`,
            },
          },
        ],
  );
  if (faults.length > 0) throw invalidAll(faults);
}
