import { NO_ORGANIZATION } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { emailVerification, passwordReset } from './purposes/account.ts';
import { accountExists } from './purposes/account-exists.ts';
import { invitation } from './purposes/invitation.ts';
import { type Asking, queueMail } from './queue-mail.ts';

/**
 * Sends an invitation's link, in the language of the person `speaks`; the caller notes the mail as the
 * invitation's newest one. The invitation may be added by the same work. Answers the mail's ID.
 */
export function sendInvitation(work: Work, invitation_id: string, speaks: string | null): Promise<string> {
  const about = { invitation_id };
  return queueMail(work, work.organization_id, { purpose: invitation, about, speaks });
}

/** Sends the link that confirms the user's present address. Answers the mail's ID. */
export function sendEmailVerification(asking: Asking, user_id: string): Promise<string> {
  const about = { user_id };
  return queueMail(asking, NO_ORGANIZATION, { purpose: emailVerification, about, speaks: user_id });
}

/** Sends the link that sets a new password. Answers the mail's ID. */
export function sendPasswordReset(asking: Asking, user_id: string): Promise<string> {
  const about = { user_id };
  return queueMail(asking, NO_ORGANIZATION, { purpose: passwordReset, about, speaks: user_id });
}

/** Tells the owner of an account that somebody signed up with their address. Answers the mail's ID. */
export function sendAccountExists(asking: Asking, user_id: string): Promise<string> {
  const about = { user_id };
  return queueMail(asking, NO_ORGANIZATION, { purpose: accountExists, about, speaks: user_id });
}
