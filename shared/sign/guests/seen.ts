import { DAY } from '../../kernel/days.ts';
import type { Reader } from '../../kernel/reader.ts';
import { linkRefused } from '../../platform/links/purpose.ts';
import { hashOfToken } from '../../platform/links/token.ts';
import type { DocumentRow, SignerRow } from '../documents/rows.ts';
import { signLinks } from '../links/links.ts';
import { signSettingsOf } from '../settings/queries.ts';
import type { Standing } from './standing.ts';

/** A guest: the signer whom the link is for, and what proves that the document was opened with it. */
export type Guest = {
  signer_id: string;
  /** The SHA-256 of the link's token: access that another link was opened with is none. */
  link_hash: string;
  /** The token of the cookie; null without one. */
  access_token: string | null;
  /** What the browser calls itself, for the trail. */
  user_agent: string | null;
};

/** A signer and the document, as far as it is told without access. */
export type Seen = Standing &
  Pick<SignerRow, 'id' | 'document_id' | 'name' | 'email' | 'role' | 'auth' | 'access_code_hash'> &
  Pick<SignerRow, 'locale' | 'time_zone' | 'failed_tries' | 'is_locked' | 'locked_until'> &
  Pick<DocumentRow, 'title'> & {
    /** Who sent the document: a name, or null where they have left. */
    sender_name: string | null;
    organization_name: string;
    ended_at: string | null;
  };

const SEEN = `
  SELECT signer.id, signer.document_id, signer.name, signer.email, signer.role, signer.auth, signer.access_code_hash,
    signer.locale, signer.time_zone, signer.status, signer.failed_tries, signer.is_locked, signer.locked_until,
    document.title, document.status AS document_status, document.cancel_reason, document.expires_at,
    coalesce(document.signed_at, document.cancelled_at) AS ended_at,
    organization.name AS organization_name,
    (SELECT person.name FROM members AS member JOIN users AS person ON person.id = member.user_id
      WHERE member.organization_id = document.organization_id AND member.user_id = document.created_by
        AND member.left_at IS NULL) AS sender_name,
    EXISTS (SELECT FROM sign_signers AS other
      WHERE other.organization_id = signer.organization_id AND other.document_id = signer.document_id
        AND other.role <> 'cc' AND other.status <> 'signed') AS is_open,
    EXISTS (SELECT FROM sign_accesses AS access
      WHERE access.organization_id = signer.organization_id AND access.token_hash = $3
        AND access.signer_id = signer.id AND access.link_hash = $4 AND access.expires_at > $5) AS has_access
  FROM sign_signers AS signer
  JOIN sign_documents AS document
    ON document.organization_id = signer.organization_id AND document.id = signer.document_id
  JOIN organizations AS organization ON organization.id = signer.organization_id
  WHERE signer.organization_id = $1 AND signer.id = $2 AND document.erased_at IS NULL AND document.status <> 'draft'`;

/**
 * What the link of a guest shows. Errors: `not_found`, also when the document ended more than `link_days` of the settings
 * ago: that is looked up at each call, so nothing has to be told of the end.
 */
export async function seenBy(reader: Reader, guest: Guest): Promise<Seen> {
  const { connection, organization_id, now } = reader;
  const access_hash = hashOfAccess(guest.access_token);
  const [seen] = await connection.query<Seen>(SEEN, [
    organization_id,
    guest.signer_id,
    access_hash,
    guest.link_hash,
    now.toISOString(),
  ]);
  if (!seen) throw linkRefused(signLinks, 'unknown');
  if (seen.ended_at !== null) {
    const { link_days } = await signSettingsOf(reader);
    if (now.getTime() >= Date.parse(seen.ended_at) + link_days * DAY) throw linkRefused(signLinks, 'expired');
  }
  return seen;
}

/** What is kept of the token of an access; null for what is none. */
export function hashOfAccess(token: string | null): string | null {
  return token === null ? null : (hashOfToken(token)?.toString('hex') ?? null);
}
