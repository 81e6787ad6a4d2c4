import type { Work } from '../../kernel/work.ts';
import type { Reference } from '../../platform/references.ts';
import type { FolderGrant } from '../permissions.ts';
import { lockTree } from '../tree/lock.ts';
import { accessOf, distinct } from './operations.ts';
import { accessFacts } from './record.ts';

/** A grant to a department that is removed goes with its members to theirs; it goes where there is none. */
export const cloudReferences: readonly Reference[] = [
  {
    to: 'attendance_departments',
    table: 'cloud_grants',
    column: 'id',
    keeps_imported: false,
    // The column names users and roles, too.
    keeps_id: true,
    follows: {
      removal: 'cleared',
      kind: `'folder_grant'`,
      async lock(work, id) {
        // No permission is judged while grants change.
        await lockTree(work, 'alone');
        return (await grantsOfFolders(work, id)).size;
      },
      relink,
    },
  },
];

/** By folder that is granted to a department, all its grants. */
async function grantsOfFolders(
  { connection, organization_id }: Work,
  department_id: string,
): Promise<Map<string, FolderGrant[]>> {
  const rows = await connection.query<FolderGrant & { folder_id: string }>(
    `SELECT folder_id, type, id, role FROM cloud_grants
      WHERE organization_id = $1 AND folder_id IN (
        SELECT folder_id FROM cloud_grants WHERE organization_id = $1 AND type = 'department' AND id = $2)
      ORDER BY folder_id FOR UPDATE`,
    [organization_id, department_id],
  );
  const byFolder = Map.groupBy(rows, ({ folder_id }) => folder_id);
  return new Map([...byFolder].map(([id, grants]) => [id, grants.map(({ folder_id, ...grant }) => grant)]));
}

/** Gives the grants of a department another one, or ends them. Of two for the same the higher one stays. */
async function relink(work: Work, department_id: string, to: string | null): Promise<void> {
  const folders = await grantsOfFolders(work, department_id);
  const isOfIt = ({ type, id }: FolderGrant) => type === 'department' && id === department_id;
  const moved: (FolderGrant & { folder_id: string })[] = [];
  for (const [id, grants] of folders) {
    const stay = grants.filter((grant) => !isOfIt(grant));
    const go = to === null ? [] : grants.filter(isOfIt).map((grant) => ({ ...grant, id: to }));
    const after = distinct([...stay, ...go]);
    work.record(accessFacts.updated, {
      before: accessOf({ id, is_restricted: true, grants }),
      after: accessOf({ id, is_restricted: true, grants: after }),
    });
    for (const grant of after) if (grant.id === to) moved.push({ ...grant, folder_id: id });
  }
  work.run(`DELETE FROM cloud_grants WHERE organization_id = $1 AND type = 'department' AND id = $2`, [
    work.organization_id,
    department_id,
  ]);
  if (moved.length === 0) return;
  work.run(
    `INSERT INTO cloud_grants (organization_id, folder_id, type, id, role)
     SELECT $1, folder_id, 'department', $2, role FROM unnest($3::text[], $4::text[]) AS moved (folder_id, role)
     ON CONFLICT (organization_id, folder_id, type, id) DO UPDATE SET role = excluded.role`,
    [work.organization_id, to, moved.map(({ folder_id }) => folder_id), moved.map(({ role }) => role)],
  );
}
