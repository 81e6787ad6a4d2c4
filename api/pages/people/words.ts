import type { Role } from '../../../shared/kernel/scope.ts';
import type { Language } from '../kit/language.ts';

/** Words that several pages share. */
export const words = {
  ja: {
    name: 'お名前',
    email: 'メールアドレス',
    password: 'パスワード',
    new_password: '新しいパスワード',
    password_hint: '8文字以上128文字以内',
    sign_in: 'サインイン',
    sign_up: '新規登録',
    sign_out: 'サインアウト',
    account: 'アカウント',
    forgotten: 'パスワードをお忘れの場合',
  },
  en: {
    name: 'Name',
    email: 'E-mail address',
    password: 'Password',
    new_password: 'New password',
    password_hint: '8 to 128 characters',
    sign_in: 'Sign in',
    sign_up: 'Sign up',
    sign_out: 'Sign out',
    account: 'Account',
    forgotten: 'Forgotten your password?',
  },
} satisfies Record<Language, Record<string, string>>;

export const roleNames: Record<Language, Record<Role, string>> = {
  ja: { owner: 'オーナー', admin: '管理者', manager: 'マネージャー', member: 'メンバー' },
  en: { owner: 'Owner', admin: 'Admin', manager: 'Manager', member: 'Member' },
};
