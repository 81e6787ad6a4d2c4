import { html } from 'ghtml';
import { z } from 'zod';
import { Failure } from '../../../shared/kernel/failure.ts';
import { newPassword } from '../../../shared/platform/access/passwords.ts';
import { accountOfLink, passwordResetLinks } from '../../../shared/platform/mailer/account-tokens.ts';
import { requestPasswordReset, resetPassword, revokeKeysAfterReset } from '../../auth/password.ts';
import { button, form, parsed } from '../kit/fields.ts';
import type { LinkedPage, Visit, WayOn } from '../kit/page.ts';
import { askForEmailPage } from './ask-for-email.ts';
import { newPasswordField } from './sign-in.ts';
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
    keys: (count: number) => `作成したAPIキー${count}件は引き続き使えます`,
    keys_note:
      '第三者がアカウントを使った恐れがある場合や、見覚えのないキーがある場合は、すべて無効にしてください。',
    more: (count: number) => `ほか${count}件`,
    revoke: 'すべてのAPIキーを無効にする',
    revoked_title: 'APIキーを無効にしました',
    revoked: (count: number) => `${count}件のAPIキーを無効にしました。`,
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
    keys: (count: number) => `API keys of yours that still work: ${count}`,
    keys_note: 'If somebody else may have used your account, or you do not know one of them, revoke all.',
    more: (count: number) => `and ${count} more`,
    revoke: 'Revoke all API keys',
    revoked_title: 'The API keys are revoked',
    revoked: (count: number) => `API keys revoked: ${count}.`,
  },
};

export const askForResetPage = askForEmailPage('/reset-password', say, requestPasswordReset);

const way_on: WayOn = {
  path: '/reset-password',
  label: { ja: '新しいリンクを依頼する', en: 'Ask for a new link' },
};

export const resetPage: LinkedPage = {
  path: '/reset-password/:token',
  opened_by: { purpose: passwordResetLinks, for_guests: true, way_on },
  show: async (visit, refused) => {
    const { steps, opened, language } = visit;
    const found = await steps.read(({ connection }) => accountOfLink(connection, opened));
    if (!found) throw new Failure('expired');
    const { title, set } = say[language];
    const note = html`<p>${words[language].email}: <strong>${found.email}</strong></p>`;
    const fields = [newPasswordField(language, 'newPassword')];
    return {
      title,
      body: html`<h1>${title}</h1>!${form(visit, { fields, button: set, refused, note })}`,
    };
  },
  submit: async (visit, sent) => {
    const { steps, param, language, link } = visit;
    const chosen = parsed(z.object({ newPassword: newPassword() }), { newPassword: sent.get('newPassword') });
    const { living, cookie } = await resetPassword(steps, param, chosen.newPassword);
    const { done_title, done } = say[language];
    const body = html`<h1>${done_title}</h1><p role="status">${done}</p>
!${living.count > 0 ? livingKeys(visit, living) : ''}
<p><a href="${link('/sign-in')}">${words[language].sign_in}</a></p>`;
    return { title: done_title, body, cookies: [cookie] };
  },
};

type Living = Awaited<ReturnType<typeof resetPassword>>['living'];

/** Keys outlive a password: whoever was in may have made one. */
function livingKeys(visit: Visit, { count, keys }: Living): string {
  const own = say[visit.language];
  const items = keys.map(
    ({ name, start, organization_name }) =>
      html`<li>${name} (<code>${start}…</code>, ${organization_name})</li>`,
  );
  if (count > keys.length) items.push(html`<li>${own.more(count - keys.length)}</li>`);
  return html`<h2>${own.keys(count)}</h2>
<p>${own.keys_note}</p>
<ul>!${items.join('\n')}</ul>
!${button(visit, { action: `/reset-password/${visit.param}/keys`, label: own.revoke })}`;
}

/** What the page after a reset offers; the link proves who asks, as long as it would have worked. */
export const revokeKeysPage: LinkedPage = {
  path: '/reset-password/:token/keys',
  opened_by: { purpose: passwordResetLinks, state: 'used', for_guests: true, way_on },
  show: async ({ link }, refused) => {
    if (refused) throw refused.failure;
    return { to: link('/account') };
  },
  submit: async ({ steps, opened, language, link }) => {
    const count = await revokeKeysAfterReset(steps, opened);
    const { revoked_title, revoked } = say[language];
    const body = html`<h1>${revoked_title}</h1><p role="status">${revoked(count)}</p>
<p><a href="${link('/sign-in')}">${words[language].sign_in}</a></p>`;
    return { title: revoked_title, body };
  },
};
