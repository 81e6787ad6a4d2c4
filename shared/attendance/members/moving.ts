import { Failure, invalidAll } from '../../kernel/failure.ts';
import type { Text } from '../../kernel/language.ts';
import { FACTS_TOGETHER, type Row, type Work } from '../../kernel/work.ts';
import type { Belonging } from './counts.ts';
import { MemberModel, memberFacts } from './record.ts';
import { type MemberRow, memberColumns, toldOf } from './row.ts';

/**
 * Takes the members out of a department or position that is removed, its row being locked: all to `to`; without one those
 * who have left lose it. Errors: `in_use` while others are in it and `to` is undefined.
 */
export async function moveMembers(
  work: Work,
  column: Belonging,
  from: string,
  to: string | undefined,
  in_use: Text,
): Promise<void> {
  let after = '';
  for (;;) {
    const rows = await work.connection.query<MemberRow>(
      `SELECT ${memberColumns.join(', ')} FROM attendance_members
        WHERE organization_id = $1 AND ${column} = $2 AND id > $3 ORDER BY id LIMIT ${FACTS_TOGETHER}
          FOR NO KEY UPDATE`,
      [work.organization_id, from, after],
    );
    if (to === undefined && rows.some(({ status }) => status !== 'left')) {
      throw new Failure('in_use', { detail: in_use });
    }
    work.updateAll(
      MemberModel,
      rows.map((row) => moved(work, row, { [column]: to ?? null })),
    );
    await work.flushFacts();
    if (rows.length < FACTS_TOGETHER) return;
    after = rows.at(-1)!.id;
  }
}

/** Says that a locked member was moved; answers what changes in its row. */
function moved(work: Work, before: MemberRow, change: { [Column in Belonging]?: string | null }): Row {
  const changes = { ...change, updated_at: work.touch(before) };
  work.record(memberFacts.updated, { before: toldOf(before), after: toldOf({ ...before, ...changes }) });
  return { id: before.id, ...changes };
}

const DESTINATIONS = {
  department_id: { table: 'attendance_departments', what: { en: 'department', ja: '部署' } },
  position_id: { table: 'attendance_positions', what: { en: 'position', ja: '役職' } },
} as const;

/** Sees that the members of one can go to another one, which stays until the commit. Errors: `validation_failed`. */
export async function requireDestination(
  work: Work,
  column: Belonging,
  from: string,
  to: string,
): Promise<void> {
  const { table, what } = DESTINATIONS[column];
  const found =
    from === to
      ? []
      : await work.connection.query(
          `SELECT FROM ${table} WHERE organization_id = $1 AND id = $2 FOR KEY SHARE`,
          [work.organization_id, to],
        );
  if (found.length > 0) return;
  const message = {
    en: `move_members_to must be another ${what.en} of this organization`,
    ja: `move_members_to にはこの組織の別の${what.ja}を指定してください`,
  };
  throw invalidAll([{ in: 'query', path: 'move_members_to', code: 'unknown_reference', message }]);
}
