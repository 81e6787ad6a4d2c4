import { Failure, unknownReference } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import { sentOrKept, sentOrNull } from '../../kernel/record-fields.ts';
import type { Work } from '../../kernel/work.ts';
import {
  countReferring,
  foreignReferences,
  lockReferring,
  type Reference,
  relinkReferring,
} from '../../platform/references.ts';
import { moveMembers, requireDestination } from '../members/moving.ts';
import { type DepartmentRow, departmentOf, lockDepartment } from './queries.ts';
import {
  type Department,
  type DepartmentInput,
  DepartmentModel,
  type DepartmentPatch,
  departmentFacts,
} from './record.ts';
import { lockTree, parentsOf, requireTree } from './tree.ts';

const FIELDS = ['name', 'code', 'parent_id', 'manager_member_id', 'sort_order', 'external_id'] as const;

/** Makes a department. Errors: `unknown_reference`, `already_exists`, `validation_failed`. */
export async function createDepartment(work: Work, input: DepartmentInput): Promise<Department> {
  const row = newDepartment(work, input);
  await requirePlace(work, row);
  await requireManager(work, row.manager_member_id);
  const department = departmentOf(row, 0);
  work.insert(DepartmentModel, row);
  work.record(departmentFacts.created, { before: null, after: department });
  return department;
}

/** The row of a department that is about to be made. */
export function newDepartment(work: Work, input: DepartmentInput): DepartmentRow {
  const at = work.now.toISOString();
  return {
    id: newId('dept', work.now),
    ...sentOrNull(input, FIELDS),
    name: input.name,
    sort_order: input.sort_order ?? 0,
    metadata: metadataAfter({}, input.metadata),
    created_at: at,
    updated_at: at,
  };
}

/** Changes the fields sent. Errors: `not_found`, `precondition_failed`, `cycle`, and those of making one. */
export async function updateDepartment(work: Work, id: string, patch: DepartmentPatch): Promise<Department> {
  if (patch.parent_id) await lockTree(work);
  const before = await lockDepartment(work, id);
  work.precondition(before);
  const changed: Department = {
    ...before,
    ...sentOrKept(patch, before, FIELDS),
    metadata: metadataAfter(before.metadata, patch.metadata),
  };
  if (changed.parent_id !== before.parent_id) await requirePlace(work, changed);
  if (changed.manager_member_id !== before.manager_member_id) {
    await requireManager(work, changed.manager_member_id);
  }
  return saveDepartment(work, before, changed);
}

/** Keeps what a change made of a locked department, and says so. */
export function saveDepartment(work: Work, before: Department, changed: Department): Department {
  if (work.isSame(departmentFacts.updated, before, changed)) return before;
  const after = { ...changed, updated_at: work.touch(before) };
  const { id, object, member_count, created_at, ...columns } = after;
  work.update(DepartmentModel, id, columns);
  work.record(departmentFacts.updated, { before, after });
  return after;
}

/**
 * Removes a department. `move_members_to` takes its members, and its children go to its parent. Errors: `not_found`,
 * `precondition_failed`, `validation_failed`, `in_use` for one with members or children without `move_members_to`, and in
 * any case for one that records of other domains name.
 */
export async function deleteDepartment(
  work: Work,
  id: string,
  move_members_to: string | undefined,
  references: readonly Reference[],
): Promise<void> {
  const table = DepartmentModel.tableName;
  const following = foreignReferences(references, table, 'cleared');
  await lockReferring(work, following, id);
  await lockTree(work);
  const before = await lockDepartment(work, id, 'removal');
  work.precondition(before);
  if (move_members_to !== undefined) await requireDestination(work, 'department_id', id, move_members_to);
  const used_by = await countReferring(work, foreignReferences(references, table, 'refused'), id);
  if (Object.keys(used_by).length > 0) {
    throw new Failure('in_use', {
      detail: { en: 'Records of other domains name the department', ja: '部署がほかの記録で使われています' },
      members: { used_by: Object.entries(used_by).map(([kind, count]) => ({ kind, count })) },
    });
  }
  await moveChildren(work, before, move_members_to !== undefined);
  await moveMembers(work, 'department_id', id, move_members_to, {
    en: 'The department has members; say in move_members_to where they go',
    ja: '部署にメンバーがいます。移動先を move_members_to に指定してください',
  });
  await relinkReferring(work, following, id, move_members_to ?? null);
  work.remove(DepartmentModel, id);
  work.record(departmentFacts.deleted, { before, after: null });
}

async function moveChildren(work: Work, { id, parent_id }: Department, may_move: boolean): Promise<void> {
  const rows = await work.connection.query<DepartmentRow>(
    `SELECT * FROM attendance_departments WHERE organization_id = $1 AND parent_id = $2 ORDER BY id
      FOR NO KEY UPDATE`,
    [work.organization_id, id],
  );
  if (rows.length > 0 && !may_move) {
    throw new Failure('in_use', {
      detail: {
        en: 'The department has departments below it; say in move_members_to where its members go',
        ja: '配下に部署があります。メンバーの移動先を move_members_to に指定してください',
      },
    });
  }
  for (const { organization_id: _, ...row } of rows as (DepartmentRow & { organization_id: string })[]) {
    const child = departmentOf(row, 0);
    saveDepartment(work, child, { ...child, parent_id });
  }
}

/** Errors: `unknown_reference`, `cycle`, `validation_failed`, all at /parent_id. */
async function requirePlace(
  work: Work,
  { id, parent_id }: Pick<Department, 'id' | 'parent_id'>,
): Promise<void> {
  if (parent_id === null) return;
  await lockTree(work);
  const parents = await parentsOf(work);
  if (!parents.has(parent_id)) throw unknownReference('/parent_id', parent_id);
  parents.set(id, parent_id);
  requireTree(parents, () => '/parent_id');
}

/** Errors: `unknown_reference` for a manager who is no present member. */
async function requireManager(work: Work, member_id: string | null): Promise<void> {
  if (member_id === null) return;
  const found = await work.connection.query(
    `SELECT FROM attendance_members WHERE organization_id = $1 AND id = $2 AND status <> 'left' FOR KEY SHARE`,
    [work.organization_id, member_id],
  );
  if (found.length === 0) throw unknownReference('/manager_member_id', member_id);
}
