import { documentMail } from '../../invoicing/emails/purpose.ts';
import type { Purpose } from './purpose.ts';
import { emailVerification, passwordReset } from './purposes/account.ts';
import { accountExists } from './purposes/account-exists.ts';
import { invitation } from './purposes/invitation.ts';

/** Every kind of mail, once. */
const all = [invitation, emailVerification, passwordReset, accountExists, documentMail] as const;

/** The kinds of mail by the name that stands in `mails.purpose`. */
export const purposes: ReadonlyMap<string, Purpose> = new Map(
  all.map((each) => [each.name, each as unknown as Purpose]),
);
