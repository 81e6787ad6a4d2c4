import { z } from 'zod';
import { id } from '../../../kernel/schema.ts';
import type { Letter, Locale } from '../letter.ts';
import { pointless } from '../pointless.ts';
import { purpose } from '../purpose.ts';

/**
 * Tells the owner of an account that somebody signed up with their address. Whoever did was told nothing of it: the
 * answer is the same as for a new address.
 */
export const accountExists = purpose({
  name: 'account_exists',
  title: { en: 'Sign-up with an address that is in use', ja: '登録済みのアドレスでの新規登録' },
  about: z.object({ user_id: id('usr') }),
  compose: async ({ user_id }, { connection, locale, base_url }) => {
    const [user] = await connection.query<{ name: string; email: string }>(
      'SELECT name, email FROM users WHERE id = $1',
      [user_id],
    );
    if (!user) return { pointless: pointless.account_gone };
    const words = wording[locale](user.name, `${base_url}/reset-password`);
    const action = { label: words.label, url: `${base_url}/sign-in` };
    return { to: [{ name: user.name, address: user.email }], locale, ...words, action };
  },
});

type Words = Pick<Letter, 'subject' | 'paragraphs' | 'notes'> & { label: string };

const wording: Record<Locale, (name: string, reset_url: string) => Words> = {
  ja: (name, reset_url) => ({
    subject: 'このメールアドレスは登録済みです',
    paragraphs: [
      `${name} 様`,
      'このメールアドレスで新規登録の申し込みがありましたが、すでにアカウントがあります。次のリンクからサインインしてください。',
    ],
    label: 'サインインする',
    notes: [
      `パスワードをお忘れの場合は、${reset_url} から再設定できます。`,
      'お心当たりのない場合は、このメールを破棄してください。アカウントは変わりません。',
    ],
  }),
  en: (name, reset_url) => ({
    subject: 'You already have an account',
    paragraphs: [
      `Dear ${name},`,
      'Somebody signed up with this e-mail address, which has an account already. To use it, sign in here.',
    ],
    label: 'Sign in',
    notes: [
      `If you have forgotten your password, set a new one at ${reset_url}.`,
      'If you did not ask for this, you can ignore this mail. Your account stays as it is.',
    ],
  }),
};
