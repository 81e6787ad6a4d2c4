import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import { sentOrKept } from '../../kernel/record-fields.ts';
import type { Work } from '../../kernel/work.ts';
import type { BatchOutcome } from '../departments/batch.ts';
import { countMembers } from '../members/counts.ts';
import { moveMembers, requireDestination } from '../members/moving.ts';
import { refuseRepeatedCodes } from '../repeated-codes.ts';
import { type PositionRow, positionById, positionColumns, positionOf } from './queries.ts';
import {
  CODE_ONCE,
  type Position,
  type PositionInput,
  type PositionItem,
  PositionModel,
  type PositionPatch,
  positionFacts,
} from './record.ts';

/** Makes a position. Errors: `already_exists`. */
export function createPosition(work: Work, input: PositionInput): Position {
  const row = newPosition(work, input);
  work.insert(PositionModel, row);
  return recordNew(work, row);
}

function newPosition(work: Work, input: PositionInput): PositionRow {
  const at = work.now.toISOString();
  return {
    id: newId('posn', work.now),
    name: input.name,
    code: input.code ?? null,
    sort_order: input.sort_order ?? 0,
    external_id: input.external_id ?? null,
    metadata: metadataAfter({}, input.metadata),
    created_at: at,
    updated_at: at,
  };
}

function recordNew(work: Work, row: PositionRow): Position {
  const position = positionOf(row, 0);
  work.record(positionFacts.created, { before: null, after: position });
  return position;
}

/** Changes the fields sent. Errors: `not_found`, `precondition_failed`, `already_exists`. */
export async function updatePosition(work: Work, id: string, patch: PositionPatch): Promise<Position> {
  const before = await positionById(work, id, 'FOR NO KEY UPDATE');
  work.precondition(before);
  return savePosition(work, before, {
    ...before,
    ...sentOrKept(patch, before, ['name', 'code', 'sort_order', 'external_id']),
    metadata: metadataAfter(before.metadata, patch.metadata),
  });
}

function savePosition(work: Work, before: Position, changed: Position): Position {
  if (work.isSame(positionFacts.updated, before, changed)) return before;
  const after = { ...changed, updated_at: work.touch(before) };
  const { id, object, member_count, created_at, ...columns } = after;
  work.update(PositionModel, id, columns);
  work.record(positionFacts.updated, { before, after });
  return after;
}

/**
 * Removes a position; `move_members_to` takes its members. Errors: `not_found`, `precondition_failed`,
 * `validation_failed`, `in_use` for one with members without `move_members_to`.
 */
export async function deletePosition(
  work: Work,
  id: string,
  move_members_to: string | undefined,
): Promise<void> {
  const before = await positionById(work, id, 'FOR UPDATE');
  work.precondition(before);
  if (move_members_to !== undefined) await requireDestination(work, 'position_id', id, move_members_to);
  await moveMembers(work, 'position_id', id, move_members_to, {
    en: 'Members have the position; say in move_members_to which one they get',
    ja: 'この役職のメンバーがいます。変更後の役職を move_members_to に指定してください',
  });
  work.remove(PositionModel, id);
  work.record(positionFacts.deleted, { before, after: null });
}

/** Makes the positions of codes that are new and changes the others, all or none. Errors: `validation_failed`. */
export async function writePositions(
  work: Work,
  items: readonly PositionItem[],
): Promise<BatchOutcome<Position>> {
  refuseRepeatedCodes(items);
  // Another request may make or take one of the codes at this moment: run again, the batch changes what has it.
  work.repeatOn(CODE_ONCE);
  const rows = await work.connection.query<PositionRow>(
    `SELECT ${positionColumns.join(', ')} FROM attendance_positions
      WHERE organization_id = $1 AND code = ANY ($2) ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, items.map(({ code }) => code)],
  );
  const known = new Map(rows.map((row) => [row.code, row]));
  const countOf = await countMembers(
    work,
    'position_id',
    rows.map(({ id }) => id),
  );
  const made = items.filter(({ code }) => !known.has(code)).map((item) => newPosition(work, item));
  work.insertAll(PositionModel, made);
  const fresh = new Map(made.map((row) => [row.code, recordNew(work, row)]));
  let updated = 0;
  const written = items.map(({ code, name, sort_order }) => {
    const row = known.get(code);
    if (!row) return fresh.get(code)!;
    const before = positionOf(row, countOf(row.id));
    const after = savePosition(work, before, {
      ...before,
      name,
      sort_order: sort_order ?? before.sort_order,
    });
    if (after !== before) updated += 1;
    return after;
  });
  return { created: made.length, updated, items: written };
}
