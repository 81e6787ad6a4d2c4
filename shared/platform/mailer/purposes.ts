import type { Domain } from '../domain.ts';
import type { Purpose } from './purpose.ts';
import { emailVerification, passwordReset } from './purposes/account.ts';
import { accountExists } from './purposes/account-exists.ts';
import { invitation } from './purposes/invitation.ts';

/** The kinds of mail by the name that stands in `mails.purpose`. */
export type Purposes = ReadonlyMap<string, Purpose>;

const ofPlatform: readonly Purpose[] = [invitation, emailVerification, passwordReset, accountExists];

/** Every kind of mail: those of the platform and of the domains. */
export function purposesOf(domains: readonly Pick<Domain, 'mails'>[]): Purposes {
  const all = [...ofPlatform, ...domains.flatMap(({ mails = [] }) => mails)];
  return new Map(all.map((each) => [each.name, each]));
}
