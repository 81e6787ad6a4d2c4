import { html } from 'ghtml';
import { z } from 'zod';
import type { Role } from '../../../shared/kernel/scope.ts';
import { name } from '../../../shared/platform/access/names.ts';
import { accountByEmail, accountOfUser } from '../../../shared/platform/access/users/queries.ts';
import { invitationLinks, type LinkedInvitation } from '../../../shared/platform/mailer/invitation-tokens.ts';
import { accept, openInvitation } from '../../access/accept.ts';
import { button, type Field, form, parsed } from '../kit/fields.ts';
import type { Language } from '../kit/language.ts';
import type { LinkedPage, Refused, Visit } from '../kit/page.ts';
import { cookiesOf, newPasswordField, passwordField } from './sign-in.ts';
import { roleNames, words } from './words.ts';

const say = {
  ja: {
    title: '招待',
    invited: (by: string) => `${by} さんから招待されています。`,
    organization: '組織',
    role: '役割',
    join: '参加する',
    known: 'このメールアドレスのアカウントがあります。パスワードを入力して参加してください。',
    fresh: 'アカウントを作成して参加します。',
    signed_in: (email: string) => `${email} としてサインインしています。`,
    other: '招待は別のメールアドレス宛てです。サインアウトしてからお進みください。',
  },
  en: {
    title: 'Invitation',
    invited: (by: string) => `${by} invites you.`,
    organization: 'Organization',
    role: 'Role',
    join: 'Join',
    known: 'There is an account with this address. Enter its password to join.',
    fresh: 'You join with a new account.',
    signed_in: (email: string) => `You are signed in as ${email}.`,
    other: 'The invitation is for another e-mail address. Sign out first.',
  },
};

export const invitePage: LinkedPage = {
  path: '/invite/:token',
  opened_by: { purpose: invitationLinks, for_guests: false },
  show: async (visit, refused) => {
    const { steps, opened, language } = visit;
    const invitation = await openInvitation(steps, opened);
    const { title, invited } = say[language];
    const body = html`<h1>${title}</h1>
<p>${invited(invitation.invited_by)}</p>
!${facts(invitation, language)}
!${await wayIn(visit, invitation, refused)}`;
    return { title, body };
  },
  submit: async ({ steps, client, opened, language, link }, sent) => {
    const typed = sent.get('name').trim();
    const chosen = parsed(z.object({ name: name(100).optional() }), typed ? { name: typed } : {});
    const input = { password: sent.get('password'), locale: language, ...chosen };
    return { to: link('/account'), cookies: cookiesOf(await accept(steps, client, opened, input)) };
  },
};

function facts({ organization_name, role, email }: LinkedInvitation, language: Language): string {
  const own = say[language];
  return html`<dl>
<dt>${own.organization}</dt><dd>${organization_name}</dd>
<dt>${own.role}</dt><dd>${roleNames[language][role as Role]}</dd>
<dt>${words[language].email}</dt><dd>${email}</dd>
</dl>`;
}

/** One button for who is signed in as the invited person, else a form to sign in or up. */
async function wayIn(visit: Visit, invitation: LinkedInvitation, refused?: Refused): Promise<string> {
  const { session, steps, language, path } = visit;
  const own = say[language];
  if (session) {
    const account = await steps.read(({ connection }) => accountOfUser(connection, session.user_id));
    const { email } = account!;
    const note = html`<p>${own.signed_in(email)}</p>`;
    if (email === invitation.email) return form(visit, { fields: [], button: own.join, refused, note });
    const { sign_out } = words[language];
    return html`!${note}<p>${own.other}</p>
!${button(visit, { action: '/sign-out', label: sign_out, more: { back: path } })}`;
  }
  const account = await steps.read(({ connection }) => accountByEmail(connection, invitation.email));
  const note = html`<p>${account?.email_verified ? own.known : own.fresh}</p>`;
  const nameField: Field = { name: 'name', label: words[language].name, autocomplete: 'name' };
  const fields = account?.email_verified
    ? [passwordField(language)]
    : [nameField, newPasswordField(language, 'password')];
  return form(visit, { fields, button: own.join, refused, note });
}
