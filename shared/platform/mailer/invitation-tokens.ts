import type { Connection } from '../../kernel/connection.ts';
import { hashOfToken } from './token.ts';

export type InvitationOfToken = {
  organization_id: string;
  organization_name: string;
  invitation_id: string;
  email: string;
  role: string;
  /** As stored; that the time has run out is `expires_at`. */
  status: 'pending' | 'accepted' | 'revoked';
  expires_at: string;
  /** Name of the person who invited. */
  invited_by: string;
};

/**
 * The invitation that the link in a mail leads to, whatever its status; null for an unknown token. Only the link of the
 * newest mail is known.
 */
export async function findInvitationByToken(
  connection: Connection,
  token: string,
): Promise<InvitationOfToken | null> {
  const token_hash = hashOfToken(token);
  if (!token_hash) return null;
  const [invitation] = await connection.query<InvitationOfToken>(
    `SELECT i.organization_id, o.name AS organization_name, i.id AS invitation_id, i.email, i.role, i.status,
       i.expires_at, u.name AS invited_by
     FROM invitation_tokens t
     JOIN invitations i ON i.organization_id = t.organization_id AND i.id = t.invitation_id
     JOIN organizations o ON o.id = i.organization_id
     JOIN users u ON u.id = i.invited_by
     WHERE t.token_hash = $1`,
    [token_hash],
  );
  return invitation ?? null;
}
