import type { Work } from '../../kernel/work.ts';

const key = (organization_id: string) => `cloud_items ${organization_id}`;

/**
 * Locks the tree of an organization until the work commits: shared by those who put something into a folder, alone by those
 * who move folders, take them to the trash or bring them back. So no two moves close a circle between them, nothing is put
 * below what goes to the trash, and nothing comes deeper than it may. Locked before any row of the tree.
 */
export async function lockTree(work: Work, how: 'shared' | 'alone'): Promise<void> {
  // A batch does a thousand things, each of which asks for it.
  if (held.get(work) === how || held.get(work) === 'alone') return;
  const call = how === 'alone' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared';
  await work.connection.query(`SELECT ${call}(hashtextextended($1, 0))`, [key(work.organization_id)]);
  held.set(work, how);
}

const held = new WeakMap<Work, 'shared' | 'alone'>();
