import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { versions } from '../../api/versions.ts';
import { domains } from '../../shared/domains.ts';
import { newId } from '../../shared/kernel/id.ts';
import { StartupError } from '../../shared/kernel/startup-error.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { accountEmail, name } from '../../shared/platform/access/names.ts';
import { createOrganization } from '../../shared/platform/access/organizations/operations.ts';
import { hashPassword } from '../../shared/platform/access/passwords.ts';
import { rememberOrganization } from '../../shared/platform/access/sessions/operations.ts';
import { createUser } from '../../shared/platform/access/users/operations.ts';
import { accountByEmail } from '../../shared/platform/access/users/queries.ts';
import { tokenFrom } from '../../shared/platform/links/token.ts';
import { sendPasswordReset } from '../../shared/platform/mailer/account-mails.ts';
import { newAccountLink, passwordResetLinks } from '../../shared/platform/mailer/account-tokens.ts';
import { asOperator, withCommandDatabase } from '../command-database.ts';
import { type Asked, type Command, readOption } from './command.ts';

const text = { type: 'string' } as const;

/**
 * The first account of an installation where SIGN_UP is invited, or of another customer: an organization and its owner,
 * in one transaction. The owner chooses the password with the link, which also confirms the address.
 */
export const createAdmin: Command = {
  usage: 'create-admin --email ADDRESS --name NAME --organization NAME [--locale ja|en]',
  about: 'makes an account and an organization that it owns, and prints the link that sets the password',
  options: { email: text, name: text, organization: text, locale: { ...text, default: 'ja' } },
  run: async (words, { settings, now, say }) => {
    const email = readOption(words, 'email', accountEmail());
    const person = readOption(words, 'name', name(100));
    const organization_name = readOption(words, 'organization', name(100));
    const locale = readOption(words, 'locale', z.enum(['ja', 'en'], { error: 'must be ja or en' }));
    const user_id = newId('usr', now);
    // Nobody knows it: the link sets the first password that works.
    const password_hash = await hashPassword(randomBytes(32).toString('hex'));
    await withCommandDatabase(settings, async (database) => {
      const { organization, url } = await asOperator(database, now, async (work) => {
        if (await accountByEmail(work.connection, email)) {
          throw new StartupError(
            `There is an account of ${email}: it can sign in and make the organization, or reset-password prints a link for it.`,
          );
        }
        const account = { name: person, email, email_verified: false, locale, password_hash };
        createUser(work, { id: user_id, ...account });
        await work.flush();
        const made = await createOrganization(
          work,
          { name: organization_name },
          user_id,
          versions[0]!.version,
          domains,
        );
        rememberOrganization(work, user_id, made.id);
        return { organization: made, url: await resetLink(work, { id: user_id, email }, settings) };
      });
      say(`${email} is the owner of ${organization.name} (${organization.id}).`);
      tellLink(say, url);
    });
  },
};

/** For somebody who cannot receive mails, or has lost the password while SMTP_URL is not set. */
export const resetPassword: Command = {
  usage: 'reset-password --email ADDRESS [--mail]',
  about: 'prints the link that sets a new password; with --mail it is sent to the address instead',
  options: { email: text, mail: { type: 'boolean', default: false } },
  run: async (words, { settings, now, say }) => {
    const email = readOption(words, 'email', accountEmail());
    await withCommandDatabase(settings, async (database) => {
      const url = await asOperator(database, now, async (work) => {
        const account = await accountByEmail(work.connection, email);
        if (!account) throw new StartupError(`There is no account of ${email}.`);
        if (!words['mail']) return resetLink(work, { id: account.user_id, email }, settings);
        await sendPasswordReset(work, account.user_id);
        return null;
      });
      if (url) tellLink(say, url);
      else say(`The link goes to ${email} as soon as a process of workers sends it; /ops/mails tells.`);
    });
  },
};

function resetLink(
  { connection, now }: Work,
  user: { id: string; email: string },
  { baseUrl }: Asked['settings'],
): Promise<string> {
  const newToken = () => tokenFrom(randomBytes(32));
  return newAccountLink({ connection, now, base_url: baseUrl, newToken }, passwordResetLinks, user);
}

function tellLink(say: Asked['say'], url: string): void {
  say('This link sets the password. It works once, within an hour; whoever has it has the account:');
  say(url);
}
