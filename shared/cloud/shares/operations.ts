import { randomBytes } from 'node:crypto';
import { Failure, unknownReference } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import { newLink } from '../../platform/links/links.ts';
import { tokenFrom } from '../../platform/links/token.ts';
import { seenFile } from '../files/queries.ts';
import { findCloudSettings } from '../settings/operations.ts';
import { lockTree } from '../tree/lock.ts';
import { placeOfBody } from '../tree/place.ts';
import { shareLinks } from './links.ts';
import { lockShare, type ShareRow, shareOf } from './queries.ts';
import { type Share, type ShareInput, ShareModel, type ShareTerms, shareFacts } from './record.ts';
import { NO_TERMS, type Terms, termsAfter } from './terms.ts';

/** What a share is made of, its password hashed already. */
export type NewShare = Pick<ShareInput, 'file_id' | 'folder_id'> & ShareTerms;

/** Where the page of the share is found, and what its token is made of. */
export type Sharing = { base_url: string; random?: (bytes: number) => Buffer };

/**
 * Shares a file or folder with who has its address, which is answered this once. Errors: `shares_disabled`,
 * `unknown_reference`, `folder_permission`, `validation_failed` by the terms that the settings allow.
 */
export async function createShare(
  work: Work,
  { file_id, folder_id, ...sent }: NewShare,
  { base_url, random = randomBytes }: Sharing,
): Promise<{ share: Share; url: string }> {
  const settings = await findCloudSettings(work);
  if (!settings.shares_enabled) throw new Failure('shares_disabled');
  await lockTree(work, 'shared');
  const item_id = await shared(work, { file_id, folder_id });
  const at = work.now.toISOString();
  const row: ShareRow = {
    id: newId('shr', work.now),
    item_id,
    ...termsAfter(whole(sent), NO_TERMS, settings, work.now),
    download_count: 0,
    last_download_at: null,
    revoked_at: null,
    created_by: work.actor.user_id!,
    created_at: at,
    updated_at: at,
  };
  work.insert(ShareModel, row);
  const { connection, now, organization_id } = work;
  const making = { connection, now, base_url, newToken: () => tokenFrom(random(32)) };
  const url = await newLink(making, shareLinks, { organization_id, record_id: row.id });
  const share = shareOf(row);
  work.record(shareFacts.created, { before: null, after: share });
  return { share, url };
}

/** Terms of which all are sent: a new share is judged by those that it does not name, too. */
function whole({ password_hash, starts_at, expires_at, max_downloads }: ShareTerms): Terms {
  return {
    password_hash: password_hash ?? null,
    starts_at: starts_at ?? null,
    expires_at: expires_at ?? null,
    max_downloads: max_downloads ?? null,
  };
}

/** The item that is shared: an editor of it may. Errors: `unknown_reference`, `folder_permission`. */
async function shared(work: Work, { file_id, folder_id }: NewShare): Promise<string> {
  if (folder_id !== undefined) {
    await placeOfBody(work, folder_id, '/folder_id');
    return folder_id;
  }
  const found = await seenFile(work, file_id!, 'editor').catch((error) => {
    if (error instanceof Failure && error.code === 'not_found') throw unknownReference('/file_id', file_id!);
    throw error;
  });
  return found.row.id;
}

/**
 * Changes the terms that are sent. Errors: `not_found`, also for one that was taken back; `precondition_failed`,
 * `folder_permission`, `validation_failed`.
 */
export async function updateShare(work: Work, id: string, sent: ShareTerms): Promise<Share> {
  await lockTree(work, 'shared');
  const row = await lockShare(work, id, 'living');
  work.precondition(row);
  const terms = termsAfter(sent, row, await findCloudSettings(work), work.now);
  const before = shareOf(row);
  const after = shareOf({ ...row, ...terms });
  const isAnotherPassword = terms.password_hash !== row.password_hash;
  if (!isAnotherPassword && work.isSame(shareFacts.updated, before, after)) return before;
  const updated_at = work.touch(row);
  work.update(ShareModel, id, { ...terms, updated_at });
  // That a password was replaced is told, though no field shows it.
  work.record({ ...shareFacts.updated, always: isAnotherPassword }, { before, after });
  return { ...after, updated_at };
}

/**
 * Takes a share back for good, also while what it shows is in the trash: restoring that must not open it again. Errors:
 * `not_found`, also for one that was taken back; `folder_permission`.
 */
export async function revokeShare(work: Work, id: string): Promise<void> {
  await lockTree(work, 'shared');
  const row = await lockShare(work, id, 'trash_too');
  work.precondition(row);
  const before = shareOf(row);
  const after = { ...before, revoked_at: work.now.toISOString() };
  work.update(ShareModel, id, { revoked_at: after.revoked_at, updated_at: work.touch(row) });
  work.record(shareFacts.deleted, { before, after });
}
