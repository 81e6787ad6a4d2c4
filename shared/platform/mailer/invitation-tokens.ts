import type { Connection } from '../../kernel/connection.ts';
import type { Role } from '../../kernel/scope.ts';
import type { LinkedRecord } from '../links/links.ts';
import type { LinkPurpose } from '../links/purpose.ts';

/** The link by which somebody joins an organization. How long it works is the invitation's own. */
export const invitationLinks: LinkPurpose = {
  name: 'invitation',
  page: '/invite',
  token: 'random',
  lifetime: null,
  max_uses: null,
  one_living: true,
  use_ends_others: false,
  // The link of an earlier mail is nobody's any more; that the invitation itself has ended is told.
  refusals: { unknown: 'not_found', revoked: 'not_found', expired: 'expired', used: 'expired' },
};

export type LinkedInvitation = {
  organization_id: string;
  organization_name: string;
  invitation_id: string;
  email: string;
  role: Role;
  /** As stored; that the time has run out is `expires_at`. */
  status: 'pending' | 'accepted' | 'revoked';
  expires_at: string;
  /** Name of the person who invited. */
  invited_by: string;
};

/** The invitation of a link, whatever its status. */
export async function invitationOfLink(
  connection: Connection,
  { organization_id, record_id }: LinkedRecord,
): Promise<LinkedInvitation | null> {
  const [invitation] = await connection.query<LinkedInvitation>(
    `SELECT i.organization_id, o.name AS organization_name, i.id AS invitation_id, i.email, i.role, i.status,
       i.expires_at, u.name AS invited_by
     FROM invitations i
     JOIN organizations o ON o.id = i.organization_id
     JOIN users u ON u.id = i.invited_by
     WHERE i.organization_id = $1 AND i.id = $2`,
    [organization_id, record_id],
  );
  return invitation ?? null;
}
