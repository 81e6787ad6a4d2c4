import type { ItemRow } from '../../shared/cloud/items/model.ts';
import { itemAt } from '../../shared/cloud/shares/below.ts';
import { countDownload, downloadOf } from '../../shared/cloud/shares/download.ts';
import { type OpenedShare, openShare } from '../../shared/cloud/shares/opened.ts';
import { roleGrants } from '../../shared/domains.ts';
import { notFound } from '../../shared/kernel/failure.ts';
import type { Link } from '../../shared/platform/links/links.ts';
import type { HeaderWords } from '../http/declaration.ts';
import type { ServedFile } from '../http/files/declarations.ts';
import type { Steps } from '../http/steps.ts';
import { requireSharePassword } from './share-password.ts';

/** The header that brings the password of a share. */
export const PASSWORD_HEADER = 'Share-Password';

export const hearsPassword: Record<string, HeaderWords> = {
  [PASSWORD_HEADER]: {
    description: 'The password of the share, where it has one.',
    example: 'quiet-river-42',
  },
};

/** The share of a link. Errors: `share_ended`, `share_not_started`. */
export function shareOfLink(steps: Steps, link: Link): Promise<OpenedShare> {
  return steps.read((reader) => openShare(reader, link.record_id, roleGrants));
}

/**
 * The share of a link, for who sends its password where it has one. Errors: `share_ended`, `share_not_started`,
 * `share_password`, `rate_limited`.
 */
export async function openedShare(steps: Steps, link: Link): Promise<OpenedShare> {
  const opened = await shareOfLink(steps, link);
  await requireSharePassword(steps, opened.share, steps.heard[PASSWORD_HEADER] ?? null);
  return opened;
}

/** What lies at a path of a share. Errors: `not_found`, `not_scanned`, `quarantined`. */
export async function itemOfShare(
  steps: Steps,
  opened: OpenedShare,
  names: readonly string[] | null,
): Promise<ItemRow> {
  const item = names && (await steps.read((reader) => itemAt(reader, opened, names)));
  if (!item) throw notFound();
  return item;
}

/** A shared file as it is sent; it counts when its bytes begin. Errors: `not_found` for a folder. */
export function servedOfShare(steps: Steps, opened: OpenedShare, item: ItemRow): ServedFile {
  if (item.kind !== 'file') throw notFound();
  const { organization_id } = steps.caller;
  const count = () => steps.write({ organization_id }, (work) => countDownload(work, opened, item));
  return downloadOf(opened, item, count);
}

/** The file at a path of a share. Errors: `not_found`, `not_scanned`, `quarantined`. */
export async function sharedFile(
  steps: Steps,
  opened: OpenedShare,
  names: readonly string[] | null,
): Promise<ServedFile> {
  return servedOfShare(steps, opened, await itemOfShare(steps, opened, names));
}
