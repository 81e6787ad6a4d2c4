import { html } from 'ghtml';
import { z } from 'zod';
import { newPassword } from '../../../shared/access/passwords.ts';
import { Failure } from '../../../shared/kernel/failure.ts';
import { findAccountToken } from '../../../shared/mailer/account-tokens.ts';
import { requestPasswordReset, resetPassword } from '../../auth/password.ts';
import { askForEmailPage } from './ask-for-email.ts';
import { form, parsed } from './fields.ts';
import { newPasswordField } from './sign-in.ts';
import type { FormPage } from './visit.ts';
import { words } from './words.ts';

const say = {
  ja: {
    title: 'パスワードの再設定',
    ask: '登録したメールアドレスを入力してください。再設定のリンクをお送りします。',
    send: 'リンクを送る',
    sent_title: 'メールをご確認ください',
    sent: 'アカウントがある場合は、再設定のリンクをお送りしました。リンクの有効期限は1時間です。',
    set: '設定する',
    done_title: 'パスワードを設定しました',
    done: 'すべての端末からサインアウトしました。新しいパスワードでサインインしてください。',
  },
  en: {
    title: 'Set a new password',
    ask: 'Enter the e-mail address of your account. A link to set a new password will be sent to it.',
    send: 'Send the link',
    sent_title: 'Check your mail',
    sent: 'If the address has an account, a link is on its way. It works for one hour.',
    set: 'Set the password',
    done_title: 'The password is set',
    done: 'You are signed out everywhere. Sign in with the new password.',
  },
};

export const askForResetPage = askForEmailPage('/reset-password', say, requestPasswordReset);

export const resetPage: FormPage = {
  path: '/reset-password/:token',
  secret: true,
  show: async (visit, refused) => {
    const { steps, param, language } = visit;
    const { now } = steps.caller;
    const found = await steps.read(({ connection }) =>
      findAccountToken(connection, 'password_reset', param, now),
    );
    if (!found) throw new Failure('expired');
    const { title, set } = say[language];
    const note = html`<p>${words[language].email}: <strong>${found.email}</strong></p>`;
    const fields = [newPasswordField(language, 'newPassword')];
    return {
      title,
      body: html`<h1>${title}</h1>!${form(visit, { fields, button: set, refused, note })}`,
    };
  },
  submit: async ({ steps, param, language, link }, sent) => {
    const chosen = parsed(z.object({ newPassword: newPassword() }), { newPassword: sent.get('newPassword') });
    await resetPassword(steps, param, chosen.newPassword);
    const { done_title, done } = say[language];
    const body = html`<h1>${done_title}</h1><p role="status">${done}</p>
<p><a href="${link('/sign-in')}">${words[language].sign_in}</a></p>`;
    return { title: done_title, body };
  },
};
