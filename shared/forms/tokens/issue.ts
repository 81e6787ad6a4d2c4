import { randomBytes } from 'node:crypto';
import type { Reader } from '../../kernel/reader.ts';
import { usableKey } from '../../platform/links/keys.ts';
import type { AnsweredForm } from '../forms/rows.ts';
import { noInvitation, type OpenInvitation, openInvitation, unusedInvitation } from '../invitations/open.ts';
import { requireAccepting } from '../responses/accept.ts';
import { asksForProof } from '../spam/guard.ts';
import { type Challenge, challengeOf } from '../spam/proof.ts';
import { FORM_TOKEN_KEY, type FormToken, honeypotOf, signedToken } from './token.ts';

/** What somebody needs to submit a form. */
export type IssuedToken = { form_token: string; honeypot: string; challenge: Challenge | null };

/** The same with the invitation that it was issued for. */
export type Issued = { issued: IssuedToken; invitation: OpenInvitation | null };

/** Who asks: by the token of an invitation, or with a form token of before, whose nonce goes on. */
export type Asking = { invitation: string | null; continues?: FormToken | null };

/**
 * Issues a form token for the present version of a published form. Errors: `form_not_open`, `form_closed`, `form_full`;
 * `not_found` without an invitation that the form asks for, or with one that has ended; `already_answered`.
 */
export async function issueFormToken(
  reader: Reader,
  answered: AnsweredForm,
  { invitation: secret, continues = null }: Asking,
): Promise<Issued> {
  const { form, settings, version } = answered;
  requireAccepting(answered, reader.now);
  const invited =
    secret === null ? (continues?.invitation_id ?? null) : (await openInvitation(reader, form.id, secret)).id;
  if (settings.access === 'invited' && invited === null) throw noInvitation();
  const invitation = invited === null ? null : await unusedInvitation(reader, form.id, invited);
  const [is_challenged, { serial, key }] = await Promise.all([
    asksForProof(reader, form.id, settings.spam),
    usableKey(reader, FORM_TOKEN_KEY, () => randomBytes(32)),
  ]);
  const issued_at = reader.now.getTime();
  const nonce = continues?.nonce ?? randomBytes(16).toString('base64url');
  const token: FormToken = {
    key_serial: serial,
    form_id: form.id,
    version: version!.number,
    invitation_id: invited,
    issued_at,
    nonce,
    first_issued_at: continues?.first_issued_at ?? issued_at,
    is_challenged,
  };
  const issued = {
    form_token: signedToken(token, key),
    honeypot: honeypotOf(nonce),
    challenge: is_challenged ? challengeOf(nonce) : null,
  };
  return { issued, invitation };
}
