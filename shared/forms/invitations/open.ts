import { Failure } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { findLink } from '../../platform/links/links.ts';
import { invitationLinks } from './links.ts';

/** That no invitation was shown which is one: alike for none, wrong, ended and revoked ones. */
export function noInvitation(): Failure {
  return new Failure('not_found', {
    detail: {
      en: 'The form is answered by invitation, and there is no such invitation, or it has ended',
      ja: 'このフォームは招待された方のみ回答できます。招待が見つからないか、すでに終了しています',
    },
  });
}

/** What a submission needs of the invitation that it is given to. */
export type OpenInvitation = {
  id: string;
  email: string;
  name: string | null;
  hidden: Record<string, string>;
};

/** The invitation of a form whose token somebody holds. Errors: `not_found`, alike for wrong, ended and revoked ones. */
export async function openInvitation(
  reader: Reader,
  form_id: string,
  token: string,
): Promise<OpenInvitation> {
  const link = await findLink(reader.connection, invitationLinks, token, reader.now);
  if (link?.state !== 'living' || link.organization_id !== reader.organization_id) throw noInvitation();
  return (await invitationToUse(reader, form_id, link.record_id)).invitation;
}

/**
 * An invitation that has not ended, and whether a response has used it up; spam uses none up. One statement. Errors: `not_found`.
 */
export async function invitationToUse(
  reader: Reader,
  form_id: string,
  id: string,
): Promise<{ invitation: OpenInvitation; is_used: boolean }> {
  const found = await findInvitation(reader, form_id, id);
  if (!found) throw noInvitation();
  return found;
}

/** The same; null where it has ended. One statement. */
export async function findInvitation(
  { connection, organization_id, now }: Reader,
  form_id: string,
  id: string,
): Promise<{ invitation: OpenInvitation; is_used: boolean } | null> {
  const [found] = await connection.query<OpenInvitation & { is_used: boolean }>(
    `SELECT id, email, name, hidden, EXISTS (SELECT FROM forms_responses
        WHERE organization_id = $1 AND invitation_id = $3 AND NOT is_spam) AS is_used
       FROM forms_invitations
      WHERE organization_id = $1 AND form_id = $2 AND id = $3 AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > $4)`,
    [organization_id, form_id, id, now.toISOString()],
  );
  if (!found) return null;
  const { is_used, ...invitation } = found;
  return { invitation, is_used };
}

/** What an invitation says for hidden names, as far as a version of its form has them: it was made for whatever version there was. */
export function hiddenByInvitation(
  { hidden: names = [] }: { hidden?: readonly string[] | undefined },
  invitation: Pick<OpenInvitation, 'hidden'> | null,
): Record<string, string> {
  const said = invitation?.hidden ?? {};
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(said, name)).map((name) => [name, said[name]!]),
  );
}

/** An invitation that can be used still. Errors: `not_found`, `already_answered`. */
export async function unusedInvitation(reader: Reader, form_id: string, id: string): Promise<OpenInvitation> {
  const { invitation, is_used } = await invitationToUse(reader, form_id, id);
  if (is_used) throw new Failure('already_answered');
  return invitation;
}
