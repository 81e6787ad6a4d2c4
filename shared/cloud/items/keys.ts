import { alreadyExists, refusesBy } from '../../db/constraint.ts';
import type { Text } from '../../kernel/language.ts';
import type { Work } from '../../kernel/work.ts';
import { isInTrash, waysOf } from '../tree/ancestors.ts';
import type { ItemRow } from './model.ts';
import { type Taken, takenBy } from './taken.ts';

/**
 * A client's own IDs. Among the records that live each is used once for a kind. What lies in the trash, or below a folder
 * there, has freed its own: a record that takes such a key marks the one that had it (`has_lost_key`), which comes back as
 * long as nothing that lives has the key.
 */

const KEY_TAKEN: Text = {
  en: 'Another record has this external_id',
  ja: 'この external_id はほかのレコードが使っています',
};

refusesBy('cloud_items_external_id_once', () => alreadyExists('/external_id', KEY_TAKEN));

/**
 * Takes a client's own ID for a record, the tree being locked. When another work takes it at the same time, this one runs
 * again. Errors: `already_exists`.
 */
export async function takeKey(
  work: Work,
  kind: ItemRow['kind'],
  external_id: string | null | undefined,
  except: string | null = null,
): Promise<void> {
  work.repeatOn('cloud_items_external_id_once');
  if (!external_id) return;
  const holders = await work.connection.query<Taken>(
    `SELECT id, kind, parent_id FROM cloud_items
      WHERE organization_id = $1 AND kind = $2 AND external_id = $3 AND trashed_at IS NULL AND NOT has_lost_key
        AND id IS DISTINCT FROM $4`,
    [work.organization_id, kind, external_id, except],
  );
  await takeFrom(work, holders);
}

type LostKey = { id: string; holder: Taken | null };

/**
 * Gives what lies below a folder, which comes back from the trash, the keys again that others took meanwhile; the tree is
 * locked alone. Errors: `already_exists` where one of those lives.
 */
export async function takeKeysBelow(work: Work, folder_id: string): Promise<void> {
  const { connection, organization_id } = work;
  const lost = await connection.query<LostKey>(
    `WITH RECURSIVE below AS (
       SELECT id FROM cloud_items WHERE organization_id = $1 AND id = $2
          AND EXISTS (SELECT FROM cloud_items WHERE organization_id = $1 AND has_lost_key)
       UNION ALL
       SELECT folder.id FROM below JOIN cloud_items AS folder
           ON folder.organization_id = $1 AND folder.parent_id = below.id AND folder.kind = 'folder'
        WHERE folder.trashed_at IS NULL
     )
     SELECT item.id, CASE WHEN holder.id IS NOT NULL THEN
              jsonb_build_object('id', holder.id, 'kind', holder.kind, 'parent_id', holder.parent_id) END AS holder
       FROM below JOIN cloud_items AS item
         ON item.organization_id = $1 AND item.parent_id = below.id AND item.has_lost_key
       LEFT JOIN cloud_items AS holder
         ON holder.organization_id = $1 AND holder.kind = item.kind AND holder.external_id = item.external_id
        AND holder.trashed_at IS NULL AND NOT holder.has_lost_key
      WHERE item.trashed_at IS NULL ORDER BY item.id`,
    [organization_id, folder_id],
  );
  await takeFrom(
    work,
    lost.flatMap(({ holder }) => holder ?? []),
  );
  await mark(
    work,
    lost.map(({ id }) => id),
    false,
  );
}

/** Marks records below the trash, whose keys others have from now on. Errors: `already_exists` for one that lives. */
async function takeFrom(work: Work, holders: readonly Taken[]): Promise<void> {
  const placeOf = ({ kind, id, parent_id }: Taken) => (kind === 'folder' ? id : parent_id);
  const wayOf = await waysOf(
    work,
    holders.flatMap((holder) => placeOf(holder) ?? []),
  );
  const living = holders.find((holder) => !isInTrash(wayOf(placeOf(holder))!));
  if (living) throw await takenBy(work, living, '/external_id', KEY_TAKEN);
  await mark(
    work,
    holders.map(({ id }) => id),
    true,
  );
}

/** At once: the unique index lets the next statement pass. */
async function mark({ connection, organization_id }: Work, ids: readonly string[], has_lost_key: boolean) {
  if (ids.length === 0) return;
  await connection.query(
    'UPDATE cloud_items SET has_lost_key = $3 WHERE organization_id = $1 AND id = ANY ($2)',
    [organization_id, ids, has_lost_key],
  );
}
