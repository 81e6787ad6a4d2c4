import { Failure, notFound, unknownReference } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { isEnough, type Permission, permissionOf } from '../permissions.ts';
import { isInTrash, MOST_DEPTH, restrictionOn, type Way, waysOf } from './ancestors.ts';
import { askingOf } from './asking.ts';

/** A place in the tree, and what the caller may do there. The way of the root is empty. */
export type Place = { folder_id: string | null; way: Way; permission: Permission };

/** A folder that the caller sees, or the root; null for others. */
export async function seenPlace(reader: Reader, folder_id: string | null): Promise<Place | null> {
  const way = (await waysOf(reader, folder_id === null ? [] : [folder_id]))(folder_id);
  if (!way || isInTrash(way)) return null;
  const permission = permissionOf(askingOf(reader), restrictionOn(way));
  return permission && { folder_id, way, permission };
}

/** The folder of the request's path. Errors: `not_found`, `folder_permission`. */
export async function placeOfPath(
  reader: Reader,
  folder_id: string | null,
  needed: Permission,
): Promise<Place> {
  const place = await seenPlace(reader, folder_id);
  if (!place) throw notFound();
  requirePermission(place.permission, needed);
  return place;
}

/** The folder that a body names at `path`. Errors: `unknown_reference`, `folder_permission`. */
export async function placeOfBody(
  reader: Reader,
  folder_id: string | null,
  path: string,
  needed: Permission = 'editor',
): Promise<Place> {
  const place = await seenPlace(reader, folder_id);
  if (!place) throw unknownReference(path, folder_id ?? 'root');
  requirePermission(place.permission, needed);
  return place;
}

/** Errors: `folder_permission`. */
export function requirePermission(permission: Permission, needed: Permission): void {
  if (isEnough(permission, needed)) return;
  throw new Failure('folder_permission', {
    detail: {
      en: `You are ${permission} here; this needs ${needed}`,
      ja: `ここでの権限は ${permission} です。この操作には ${needed} が必要です`,
    },
    members: { permission },
  });
}

/** Sees that so many levels fit below a place. Errors: `too_deep`. */
export function requireDepth({ way }: Pick<Place, 'way'>, levels: number): void {
  if (way.length + levels > MOST_DEPTH) throw new Failure('too_deep');
}
