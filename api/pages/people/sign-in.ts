import { html } from 'ghtml';
import { SignIn, SignUp } from '../../auth/schemas.ts';
import { signIn, signOut } from '../../auth/sign-in.ts';
import { signUp } from '../../auth/sign-up.ts';
import type { Answer } from '../../http/declaration.ts';
import { button, type Field, form, parsed } from '../kit/fields.ts';
import type { Language } from '../kit/language.ts';
import type { Page, Visit } from '../kit/page.ts';
import { words } from './words.ts';

/** The cookies that an answer of the API sets. */
export function cookiesOf({ headers }: Answer<unknown>): string[] {
  return [headers['Set-Cookie'] ?? []].flat();
}

export function emailField(language: Language, value?: string): Field {
  return {
    name: 'email',
    label: words[language].email,
    type: 'email',
    autocomplete: 'username',
    ...(value && { value }),
  };
}

export function passwordField(language: Language): Field {
  return {
    name: 'password',
    label: words[language].password,
    type: 'password',
    autocomplete: 'current-password',
  };
}

export function newPasswordField(language: Language, name: 'password' | 'newPassword'): Field {
  const { password, new_password, password_hint } = words[language];
  const label = name === 'password' ? password : new_password;
  return { name, label, type: 'password', autocomplete: 'new-password', hint: password_hint };
}

export const signInPage: Page = {
  path: '/sign-in',
  show: async (visit, refused) => {
    const { language, link, session, steps } = visit;
    if (session && !refused) return { to: link('/account') };
    const say = words[language];
    const isOpen = steps.context.settings.signUp === 'open';
    const body = html`<h1>${say.sign_in}</h1>
!${form(visit, { fields: [emailField(language), passwordField(language)], button: say.sign_in, refused })}
!${refused?.failure.code === 'email_not_verified' ? sendAgain(visit, refused.form.get('email')) : ''}
<p><a href="${link('/reset-password')}">${say.forgotten}</a></p>
!${isOpen ? html`<p><a href="${link('/sign-up')}">${say.sign_up}</a></p>` : ''}`;
    return { title: say.sign_in, body };
  },
  submit: async ({ steps, link }, sent) => {
    const body = parsed(SignIn, { email: sent.get('email'), password: sent.get('password') });
    return { to: link('/account'), cookies: cookiesOf(await signIn(steps, body)) };
  },
};

function sendAgain(visit: Visit, email: string): string {
  const label = visit.language === 'ja' ? '確認メールをもう一度送る' : 'Send the mail again';
  return button(visit, { action: '/verify-email', label, more: { email } });
}

export const signOutPage: Page = {
  path: '/sign-out',
  show: async ({ link }) => ({ to: link('/sign-in') }),
  submit: async ({ steps, link }, sent) => {
    const cookies = cookiesOf(await signOut(steps));
    const back = sent.get('back');
    return { to: link(/^\/invite\/[\w-]{1,100}$/.test(back) ? back : '/sign-in'), cookies };
  },
};

const signUpWords = {
  ja: {
    closed: '新規登録は招待された方に限られています。組織のオーナーまたは管理者に招待を依頼してください。',
    sent_title: 'メールをご確認ください',
    sent: (email: string) => `${email} にメールを送りました。メールのリンクを開くと登録が完了します。`,
    known: 'アカウントをお持ちの方はサインイン',
  },
  en: {
    closed: 'Sign-up is by invitation only. Ask an owner or admin of your organization for an invitation.',
    sent_title: 'Check your mail',
    sent: (email: string) => `A mail is on its way to ${email}. Open the link in it to finish.`,
    known: 'You have an account? Sign in',
  },
};

export const signUpPage: Page = {
  path: '/sign-up',
  show: async (visit, refused) => {
    const { language, link, steps } = visit;
    const say = words[language];
    const own = signUpWords[language];
    const known = html`<p><a href="${link('/sign-in')}">${own.known}</a></p>`;
    if (steps.context.settings.signUp === 'invited') {
      return { title: say.sign_up, body: html`<h1>${say.sign_up}</h1><p>${own.closed}</p>!${known}` };
    }
    const fields: Field[] = [
      { name: 'name', label: say.name, autocomplete: 'name' },
      emailField(language),
      newPasswordField(language, 'password'),
    ];
    const body = html`<h1>${say.sign_up}</h1>
!${form(visit, { fields, button: say.sign_up, refused })}
!${known}`;
    return { title: say.sign_up, body };
  },
  submit: async ({ steps, link, language }, sent) => {
    const fields = { name: sent.get('name'), email: sent.get('email'), password: sent.get('password') };
    const answer = await signUp(steps, parsed(SignUp, { ...fields, locale: language }));
    if (answer.body.token !== null) return { to: link('/account'), cookies: cookiesOf(answer) };
    const { sent_title, sent: told } = signUpWords[language];
    return {
      title: sent_title,
      body: html`<h1>${sent_title}</h1><p role="status">${told(fields.email)}</p>`,
    };
  },
};
