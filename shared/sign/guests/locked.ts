import type { Work } from '../../kernel/work.ts';
import { isLiving } from '../../platform/links/links.ts';
import { linkRefused } from '../../platform/links/purpose.ts';
import { documentForUpdate } from '../documents/queries.ts';
import type { SignerRow, StoredDocument } from '../documents/rows.ts';
import { signLinks } from '../links/links.ts';
import { type Guest, type Seen, seenBy } from './seen.ts';
import { type GuestCall, requireStanding } from './standing.ts';

/** A document that a guest's call has locked, and how the guest stands to it since then. */
export type Locked = { stored: StoredDocument; seen: Seen };

/**
 * Locks the document of a guest, and sees that the call may be made now: whoever else changed it has committed, so of several
 * at once each decides by what those before left. A link that ended meanwhile is that of somebody whose place another one has.
 * Errors: `not_found`, and those of `requireStanding`.
 */
export async function lockForGuest(work: Work, guest: Guest, call: GuestCall): Promise<Locked> {
  const { document_id } = await seenBy(work, guest);
  const stored = await documentForUpdate(work, document_id);
  const isOpen = await isLiving(work.connection, signLinks, guest.link_hash, work.now);
  if (!isOpen) throw linkRefused(signLinks, 'revoked');
  const seen = await seenBy(work, guest);
  requireStanding(seen, call, work.now);
  return { stored, seen };
}

/** The guest's own row of a document. */
export function ownSigner({ signers }: Pick<StoredDocument, 'signers'>, { id }: { id: string }): SignerRow {
  return signers.find((signer) => signer.id === id)!;
}
