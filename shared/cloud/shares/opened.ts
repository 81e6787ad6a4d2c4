import { Failure } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { RoleGrants } from '../../kernel/scope.ts';
import { presentRights } from '../../platform/access/present-rights.ts';
import { findItem, type ItemRow } from '../items/model.ts';
import { isEnough } from '../permissions.ts';
import { findCloudSettings } from '../settings/operations.ts';
import { seenPlace } from '../tree/place.ts';
import { findShare, type ShareRow } from './queries.ts';

/** A share that works now, what it shows, and whether that may be what was too large to be scanned. */
export type OpenedShare = { share: ShareRow; item: ItemRow; shows_unscanned: boolean };

/**
 * What a link of a share opens. Whether it has ended is looked up anew at each request: nothing has to be told that a
 * folder went to the trash, a member left or a right was lost. Errors: `share_ended`, `share_not_started`.
 */
export async function openShare(
  reader: Reader,
  share_id: string,
  role_grants: RoleGrants,
): Promise<OpenedShare> {
  const share = await findShare(reader, share_id);
  if (!share || hasEnded(share, reader.now)) throw ended();
  const [settings, item, maker] = await Promise.all([
    findCloudSettings(reader),
    findItem(reader, share.item_id),
    makerOf(reader, share, role_grants),
  ]);
  if (!settings.shares_enabled || !item || item.trashed_at !== null || !maker) throw ended();
  const place = await seenPlace(maker, item.kind === 'folder' ? item.id : item.parent_id);
  if (!place || !isEnough(place.permission, 'editor')) throw ended();
  if (share.starts_at !== null && share.starts_at > reader.now.toISOString()) {
    throw new Failure('share_not_started', { members: { starts_at: share.starts_at } });
  }
  return { share, item, shows_unscanned: settings.share_unscanned };
}

export function ended(): Failure {
  return new Failure('share_ended');
}

function hasEnded({ revoked_at, expires_at, max_downloads, download_count }: ShareRow, now: Date): boolean {
  if (revoked_at !== null || (expires_at !== null && expires_at <= now.toISOString())) return true;
  return max_downloads !== null && download_count >= max_downloads;
}

/** The reader as who made the share, with what they may do by now; null for who has left. */
async function makerOf(
  reader: Reader,
  { created_by }: ShareRow,
  role_grants: RoleGrants,
): Promise<Reader | null> {
  const maker = { type: 'user', id: created_by, user_id: created_by } as const;
  const rights = await presentRights(reader, maker, role_grants);
  return rights && { ...reader, actor: { ...maker, ...rights } };
}
