import { z } from 'zod';
import { id } from '../../../kernel/schema.ts';
import { emailVerificationLinks, newAccountLink, passwordResetLinks } from '../account-tokens.ts';
import type { Letter, Locale } from '../letter.ts';
import { pointless } from '../pointless.ts';
import { type Composing, type Pointless, purpose } from '../purpose.ts';

const aboutUser = z.object({ user_id: id('usr') });

/** The link that confirms an address. */
export const emailVerification = purpose({
  name: 'email_verification',
  title: { en: 'Confirmation of an address', ja: 'メールアドレスの確認' },
  about: aboutUser,
  compose: async ({ user_id }, composing) => {
    const user = await userById(composing, user_id);
    if (!user) return gone;
    if (user.email_verified) return { pointless: pointless.confirmed };
    const url = await newAccountLink(composing, emailVerificationLinks, user, composing.mail_id);
    return letter(user, composing.locale, verification[composing.locale], url);
  },
});

/** The link that sets a new password. */
export const passwordReset = purpose({
  name: 'password_reset',
  title: { en: 'New password', ja: 'パスワードの再設定' },
  about: aboutUser,
  compose: async ({ user_id }, composing) => {
    const user = await userById(composing, user_id);
    if (!user) return gone;
    const url = await newAccountLink(composing, passwordResetLinks, user);
    return letter(user, composing.locale, reset[composing.locale], url);
  },
});

type User = { id: string; name: string; email: string; email_verified: boolean };
type Words = {
  subject: string;
  greeting: (name: string) => string;
  text: string;
  label: string;
  notes: string[];
};

const gone: Pointless = { pointless: pointless.account_gone };

async function userById({ connection }: Composing, user_id: string): Promise<User | undefined> {
  const [user] = await connection.query<User>(
    'SELECT id, name, email, email_verified FROM users WHERE id = $1',
    [user_id],
  );
  return user;
}

function letter(user: User, locale: Locale, words: Words, url: string): Letter {
  return {
    to: [{ name: user.name, address: user.email }],
    locale,
    subject: words.subject,
    paragraphs: [words.greeting(user.name), words.text],
    action: { label: words.label, url },
    notes: words.notes,
  };
}

const verification: Record<Locale, Words> = {
  ja: {
    subject: 'メールアドレスの確認',
    greeting: (name) => `${name} 様`,
    text: 'このメールアドレスを確認するには、次のリンクを開いてください。',
    label: 'メールアドレスを確認する',
    notes: ['リンクの有効期限は24時間です。', 'お心当たりのない場合は、このメールを破棄してください。'],
  },
  en: {
    subject: 'Confirm your e-mail address',
    greeting: (name) => `Dear ${name},`,
    text: 'To confirm this e-mail address, open this link.',
    label: 'Confirm the address',
    notes: ['The link works for 24 hours.', 'If you did not ask for this, you can ignore this mail.'],
  },
};

const reset: Record<Locale, Words> = {
  ja: {
    subject: 'パスワードの再設定',
    greeting: (name) => `${name} 様`,
    text: '新しいパスワードを設定するには、次のリンクを開いてください。',
    label: 'パスワードを再設定する',
    notes: [
      'リンクの有効期限は1時間で、一度だけ使えます。',
      'お心当たりのない場合は、このメールを破棄してください。パスワードは変わりません。',
    ],
  },
  en: {
    subject: 'Set a new password',
    greeting: (name) => `Dear ${name},`,
    text: 'To set a new password, open this link.',
    label: 'Set a new password',
    notes: [
      'The link works for one hour, once.',
      'If you did not ask for this, you can ignore this mail. Your password stays as it is.',
    ],
  },
};
