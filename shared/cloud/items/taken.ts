import { alreadyExists, refusesBy } from '../../db/constraint.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Text } from '../../kernel/language.ts';
import type { Reader } from '../../kernel/reader.ts';
import { allows } from '../../kernel/scope.ts';
import type { Work } from '../../kernel/work.ts';
import { nameKey, numberedName } from '../names.ts';
import { permissionOf } from '../permissions.ts';
import { isInTrash, restrictionOn, waysOf } from '../tree/ancestors.ts';
import { askingOf } from '../tree/asking.ts';
import type { ConflictRule } from './fields.ts';
import type { ItemRow } from './model.ts';

const NAME_TAKEN: Text = {
  en: 'Another folder or file in this place has this name',
  ja: '同じ場所に同じ名前のフォルダーまたはファイルがあります',
};

refusesBy('cloud_items_name_once', () => alreadyExists('/name', NAME_TAKEN));

/** What has a name or a key. */
export type Taken = Pick<ItemRow, 'id' | 'kind' | 'parent_id'>;

/** What has the name in a folder (null: the root) now, beside `except`; null where it is free. */
export async function holderOfName(
  { connection, organization_id }: Reader,
  parent_id: string | null,
  name: string,
  except: string | null = null,
): Promise<Taken | null> {
  const [taken] = await connection.query<Taken>(
    `SELECT id, kind, parent_id FROM cloud_items
      WHERE organization_id = $1 AND coalesce(parent_id, '') = $2 AND name_key = $3 AND trashed_at IS NULL
        AND id IS DISTINCT FROM $4`,
    [organization_id, parent_id ?? '', nameKey(name), except],
  );
  return taken ?? null;
}

/**
 * Locks a name in a folder until the work commits, taken or not: those who want it stand in line. When another work takes a
 * name that this one made of it, this one runs again.
 */
export async function lockName(work: Work, parent_id: string | null, name: string): Promise<void> {
  work.repeatOn('cloud_items_name_once');
  await work.connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', [
    `cloud_items ${work.organization_id} ${parent_id ?? ''} ${nameKey(name)}`,
  ]);
}

/** Locks a name, and answers what has it then, beside `except`: both statements travel together. */
export async function lockedHolder(
  work: Work,
  parent_id: string | null,
  name: string,
  except: string | null = null,
): Promise<Taken | null> {
  const [, taken] = await Promise.all([
    lockName(work, parent_id, name),
    holderOfName(work, parent_id, name, except),
  ]);
  return taken;
}

/**
 * The name that something gets in a folder: its own, or by `rename` the first free one with a number. Errors: `already_exists`.
 */
export async function nameInPlace(
  work: Work,
  {
    parent_id,
    name,
    on_conflict = 'fail',
    except = null,
  }: {
    parent_id: string | null;
    name: string;
    on_conflict?: ConflictRule | undefined;
    except?: string | null;
  },
): Promise<string> {
  const taken = await lockedHolder(work, parent_id, name, except);
  if (!taken) return name;
  if (on_conflict === 'fail') throw await takenBy(work, taken, '/name', NAME_TAKEN);
  return numberedInPlace(work, parent_id, name, except);
}

/** 409 for a name: it names what has it, where the caller sees that. */
export function nameTakenBy(reader: Reader, taken: Taken): Promise<Failure> {
  return takenBy(reader, taken, '/name', NAME_TAKEN);
}

/** Numbers that are looked at together, from the first to the last try. */
const NUMBERS = [100, 1_000, 10_000];

async function numberedInPlace(
  { connection, organization_id }: Reader,
  parent_id: string | null,
  name: string,
  except: string | null,
): Promise<string> {
  let from = 2;
  for (const count of NUMBERS) {
    const names = Array.from({ length: count }, (_, index) => numberedName(name, from + index));
    const rows = await connection.query<{ name_key: string }>(
      `SELECT name_key FROM cloud_items
        WHERE organization_id = $1 AND coalesce(parent_id, '') = $2 AND name_key = ANY ($3) AND trashed_at IS NULL
          AND id IS DISTINCT FROM $4`,
      [organization_id, parent_id ?? '', names.map(nameKey), except],
    );
    const taken = new Set(rows.map(({ name_key }) => name_key));
    const free = names.find((each) => !taken.has(nameKey(each)));
    if (free !== undefined) return free;
    from += count;
  }
  throw alreadyExists('/name', NAME_TAKEN);
}

/** 409 for what another record has: it names that one, where the caller sees it. */
export async function takenBy(reader: Reader, taken: Taken, path: string, message: Text): Promise<Failure> {
  const { code, details } = alreadyExists(path, message);
  const existing_id = (await isSeen(reader, taken)) ? taken.id : null;
  return new Failure(code, { ...details, members: { existing_id } });
}

async function isSeen(reader: Reader, { id, kind, parent_id }: Taken): Promise<boolean> {
  if (!allows(reader.actor.grants, 'cloud:read')) return false;
  const at = kind === 'folder' ? id : parent_id;
  const way = (await waysOf(reader, at === null ? [] : [at]))(at);
  return way !== null && !isInTrash(way) && permissionOf(askingOf(reader), restrictionOn(way)) !== null;
}
