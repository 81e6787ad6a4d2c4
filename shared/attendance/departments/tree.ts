import { Failure, invalid } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';

/** Levels of the tree, the root counted. */
export const MOST_LEVELS = 20;

/** Lets one change of what stands below what go at a time in an organization, so that two cannot close a circle. */
export async function lockTree(work: Work): Promise<void> {
  await work.connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `attendance_departments.parent_id ${work.organization_id}`,
  ]);
}

/** By department, the one above it. */
export type Parents = ReadonlyMap<string, string | null>;

/** The departments of the organization with their parents, the tree being locked. */
export async function parentsOf(work: Work): Promise<Map<string, string | null>> {
  const rows = await work.connection.query<{ id: string; parent_id: string | null }>(
    'SELECT id, parent_id FROM attendance_departments WHERE organization_id = $1',
    [work.organization_id],
  );
  return new Map(rows.map(({ id, parent_id }) => [id, parent_id]));
}

/** How many levels above and with a department there are; null where it stands below itself. */
export function levelOf(parents: Parents, id: string): number | null {
  let level = 0;
  for (let at: string | null = id; at !== null; at = parents.get(at) ?? null) {
    level += 1;
    if (level > parents.size) return null;
  }
  return level;
}

/** What is wrong with the places of the tree: a department that stands below itself, or too deep. */
export function faultOf(parents: Parents): { id: string; kind: 'cycle' | 'too_deep' } | null {
  for (const id of parents.keys()) {
    const level = levelOf(parents, id);
    if (level === null) return { id, kind: 'cycle' };
    if (level > MOST_LEVELS) return { id, kind: 'too_deep' };
  }
  return null;
}

/** Sees that the tree is one after a change. Errors: `cycle`, `validation_failed`, both at `path`. */
export function requireTree(parents: Parents, pathOf: (id: string) => string): void {
  const fault = faultOf(parents);
  if (!fault) return;
  const path = pathOf(fault.id);
  if (fault.kind === 'too_deep') {
    throw invalid(path, 'too_deep', {
      en: `departments may have ${MOST_LEVELS} levels, no more`,
      ja: `部署の階層は${MOST_LEVELS}までです`,
    });
  }
  const message = {
    en: 'A department cannot stand below itself',
    ja: '部署を自身の配下に置くことはできません',
  };
  throw new Failure('cycle', { detail: message, errors: [{ in: 'body', path, code: 'cycle', message }] });
}
