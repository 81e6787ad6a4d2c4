import type { Failure } from '../../../shared/kernel/failure.ts';
import type { FailureCode } from '../../../shared/kernel/failures.ts';
import { StoredFileMissing } from '../../../shared/platform/storage/storage.ts';
import type { Language } from './language.ts';
import type { Refused } from './page.ts';

type Sentences = Partial<Record<FailureCode, string>> & { other: string };

const sentences: Record<Language, Sentences> = {
  ja: {
    invalid_credentials: 'メールアドレスまたはパスワードが正しくありません。',
    email_not_verified: 'メールアドレスの確認が済んでいません。届いたメールのリンクを開いてください。',
    too_many_keys: 'APIキーは組織ごとに100個までです。使っていないキーを無効にしてから作成してください。',
    rate_limited: '試行回数が多すぎます。しばらくしてからもう一度お試しください。',
    expired: 'このリンクは無効です。期限が切れたか、すでに取り消されています。もう一度依頼してください。',
    invalid_transition: 'この招待はすでに使用されています。',
    not_found: 'このリンクは正しくありません。',
    wrong_account:
      'この招待は別のメールアドレス宛てです。サインアウトしてから、招待された方がお進みください。',
    sign_up_closed: '新規登録は招待された方に限られています。',
    already_exists: 'この値はすでに使われています。',
    cross_site_request:
      '別のサイトから送信されたため、受け付けられませんでした。ページを開き直してください。',
    validation_failed: '入力内容を確認してください。',
    insufficient_scope: 'この操作の権限がありません。',
    no_active_organization: '組織がまだありません。',
    share_ended: 'この共有は終了しました。必要な場合は、送信者に新しいリンクを依頼してください。',
    share_not_started: 'この共有はまだ始まっていません。しばらくしてから開き直してください。',
    share_password: 'パスワードが正しくありません。',
    not_scanned:
      'このファイルはまだ検査が済んでいないため、表示できません。しばらくしてから開き直してください。',
    quarantined: 'このファイルからマルウェアが検出されたため、ダウンロードできません。',
    unavailable: 'ただいま応答できません。しばらくしてからもう一度お試しください。',
    other: '問題が発生しました。もう一度お試しください。',
  },
  en: {
    invalid_credentials: 'The e-mail address or the password is wrong.',
    email_not_verified:
      'Your e-mail address is not confirmed yet. Open the link in the mail that was sent to it.',
    too_many_keys: 'An organization may have 100 API keys. Revoke one that nobody uses first.',
    rate_limited: 'Too many attempts. Try again later.',
    expired: 'This link does not work any more: it is too old or was taken back. Ask for a new one.',
    invalid_transition: 'This invitation has been used already.',
    not_found: 'This link is not right.',
    wrong_account:
      'This invitation is for another e-mail address. Sign out first, then use it as who was invited.',
    sign_up_closed: 'Sign-up is by invitation only.',
    already_exists: 'This value is in use already.',
    cross_site_request: 'This was sent from another site and is not accepted. Open the page again.',
    validation_failed: 'Check what you entered.',
    insufficient_scope: 'You are not allowed to do this.',
    no_active_organization: 'There is no organization yet.',
    share_ended: 'This share has ended. If you still need it, ask who sent the link for another one.',
    share_not_started: 'This share has not begun yet. Open the link again later.',
    share_password: 'This password is not right.',
    not_scanned: 'This file has not been scanned yet. Open the link again later.',
    quarantined: 'Malware was found in this file, so it cannot be downloaded.',
    unavailable: 'The service cannot answer just now. Try again in a moment.',
    other: 'Something went wrong. Try again.',
  },
};

const fieldErrors: Record<Language, Record<string, string>> = {
  ja: {
    required: '入力してください。',
    too_short: '短すぎます。',
    too_long: '長すぎます。',
    invalid_format: '正しい形式で入力してください。',
    invalid_characters: '改行や制御文字は使えません。',
    already_exists: 'すでに使われています。',
    in_the_past: '今より後の日時を入力してください。',
    too_many: '数が多すぎます。',
    not_offered: '選択肢から選んでください。',
    other: '正しくありません。',
  },
  en: {
    required: 'Fill this in.',
    too_short: 'This is too short.',
    too_long: 'This is too long.',
    invalid_format: 'This does not have the right form.',
    invalid_characters: 'No line breaks or control characters here.',
    already_exists: 'This is in use already.',
    in_the_past: 'This must be later than now.',
    too_many: 'These are too many.',
    not_offered: 'Choose one of those that are offered.',
    other: 'This is not right.',
  },
};

const content_missing: Record<Language, string> = {
  ja: 'このファイルの内容が失われています。リンクの送信者か運用担当者にお知らせください。',
  en: 'The content of this file is missing. Tell who sent you the link, or the operator.',
};

/** What went wrong, as a sentence for people. */
export function failureSentence(failure: Failure, language: Language): string {
  if (failure.details.cause instanceof StoredFileMissing) return content_missing[language];
  return sentences[language][failure.code] ?? sentences[language].other;
}

/** What is wrong with a text that is too short or of another form, where nothing was entered. */
const OF_NOTHING = new Set(['too_short', 'invalid_format']);

/** What is wrong with a field of a form, or null where nothing is. */
export function fieldErrorSentence(
  refused: Refused | undefined,
  name: string,
  language: Language,
): string | null {
  const found = refused?.failure.details.errors?.find(({ path }) => path.split('/')[1] === name);
  if (!refused || !found) return null;
  const isEmpty = refused.form.get(name).trim() === '';
  const code = isEmpty && OF_NOTHING.has(found.code) ? 'required' : found.code;
  return fieldErrors[language][code] ?? fieldErrors[language].other!;
}
