import { html } from 'ghtml';
import { z } from 'zod';
import { Failure } from '../../../shared/kernel/failure.ts';
import { knownPassword } from '../../../shared/platform/access/passwords.ts';
import { accountOfLink, emailVerificationLinks } from '../../../shared/platform/mailer/account-tokens.ts';
import { sendVerification, verifyAndSignIn } from '../../auth/verification.ts';
import { form, parsed } from '../kit/fields.ts';
import type { LinkedPage } from '../kit/page.ts';
import { askForEmailPage } from './ask-for-email.ts';
import { cookiesOf, passwordField } from './sign-in.ts';
import { words } from './words.ts';

const say = {
  ja: {
    title: 'メールアドレスの確認',
    note: '登録したときのパスワードを入力すると、メールアドレスの確認が完了します。',
    confirm: '確認してサインイン',
    ask: '確認のリンクをもう一度お送りします。',
    send: 'リンクを送る',
    sent_title: 'メールをご確認ください',
    sent: '確認が必要なアカウントがある場合は、リンクをお送りしました。',
    foreign:
      'ご自身で登録していない場合、またはパスワードが分からない場合は、パスワードを再設定してください。',
  },
  en: {
    title: 'Confirm your e-mail address',
    note: 'Enter the password that you signed up with to confirm the address.',
    confirm: 'Confirm and sign in',
    ask: 'The link that confirms your address will be sent again.',
    send: 'Send the link',
    sent_title: 'Check your mail',
    sent: 'If the address has an account that waits for it, a link is on its way.',
    foreign: 'If you did not sign up yourself, or do not know the password, set a new one.',
  },
};

export const askForVerificationPage = askForEmailPage('/verify-email', say, sendVerification);

export const verifyPage: LinkedPage = {
  path: '/verify-email/:token',
  opened_by: {
    purpose: emailVerificationLinks,
    for_guests: false,
    way_on: { path: '/verify-email', label: { ja: '新しいリンクを依頼する', en: 'Ask for a new link' } },
  },
  show: async (visit, refused) => {
    const { steps, opened, language, link } = visit;
    const found = await steps.read(({ connection }) => accountOfLink(connection, opened));
    if (!found) throw new Failure('expired');
    const { title, note, confirm, foreign } = say[language];
    const above = html`<p>${words[language].email}: <strong>${found.email}</strong></p><p>${note}</p>`;
    const fields = [passwordField(language)];
    const body = html`<h1>${title}</h1>
!${form(visit, { fields, button: confirm, refused, note: above })}
<p class="quiet">${foreign} <a href="${link('/reset-password')}">${words[language].forgotten}</a></p>`;
    return { title, body };
  },
  submit: async ({ steps, param, link }, sent) => {
    const { password } = parsed(z.object({ password: knownPassword() }), { password: sent.get('password') });
    return { to: link('/account'), cookies: cookiesOf(await verifyAndSignIn(steps, param, password)) };
  },
};
