import { type Failure, type FieldError, invalid } from '../../kernel/failure.ts';
import type { Sentence } from '../../kernel/sentences.ts';
import { hostFaults } from '../content/hosts.ts';
import {
  errorOf,
  parsePlaceholders,
  placeholderInHost,
  unclosedPlaceholder,
  unknownPlaceholder,
} from '../content/placeholders.ts';
import { htmlBody } from '../content/places.ts';
import { textOfHtml } from '../content/text-part.ts';
import type { MailWarning } from '../content/warnings.ts';
import type { MailSettings } from '../settings/record.ts';
import { type Audience, type AudienceCounts, isOfContact } from './audience.ts';
import type { Campaign } from './record.ts';
import { isOwnDomain } from './references.ts';
import type { CampaignSender } from './sender.ts';

/** Whether mails leave by a mail server; else they stand in the local mailbox. */
export type MailServer = { has_mail_server: boolean };

/** What the local mailbox takes of one campaign. */
export const MOST_IN_MAILBOX = 1_000;

const identityMissing = (field: string) => ({
  en: `${field} is missing: each mail must say who sends it (特定電子メール法, Art. 4). Set it in the settings of mail`,
  ja: `${field} が未設定です。メールには送信者の表示が必要です（特定電子メール法第4条）。メールの設定で指定してください`,
});
const fromMissing = () => ({
  en: 'There is no from_email, and the settings of mail have no default_from_email',
  ja: 'from_email がなく、メールの設定の default_from_email も未設定です',
});
const fromNotAllowed = (email: string) => ({
  en: `${email} is neither of the domain of default_from_email nor of that of a DKIM key`,
  ja: `${email} は、設定の default_from_email のドメインでもDKIM鍵のドメインでもありません`,
});
const noticeMissing = () => ({
  en: 'A mail for mail order must lead to its notice (特定商取引法): set mail_order_notice_url in the settings of mail',
  ja: '通信販売のメールには特定商取引法に基づく表記が必要です。メールの設定で mail_order_notice_url を指定してください',
});
const audienceMissing = () => ({
  en: 'There is neither a list nor a segment',
  ja: 'リストもセグメントも指定されていません',
});
const chosenRemoved = (id: string) => ({
  en: `${id} was removed`,
  ja: `${id} は削除されています`,
});
const recipientsMissing = () => ({
  en: 'Nobody would get it: see audience',
  ja: '送信できる宛先がありません。audience を確認してください',
});
const subjectEmpty = () => ({ en: 'The subject is empty', ja: '件名が空です' });
const bodyEmpty = () => ({ en: 'There is neither body_html nor body_text', ja: '本文がありません' });
const serverRequired = (count: string) => ({
  en: `${count} recipients need a mail server: without SMTP_URL a campaign may have ${MOST_IN_MAILBOX}`,
  ja: `宛先が${count}件あります。SMTP_URL が未設定の場合、送信できるのは${MOST_IN_MAILBOX}件までです`,
});
const mailboxOnly = () => ({
  en: 'There is no SMTP_URL: the mails go to the local mailbox alone',
  ja: 'SMTP_URL が未設定のため、メールはローカルのメールボックスにだけ届きます',
});
const valueMissing = (count: string, names: string) => ({
  en: `${count} of its contacts lack a value for ${names}: they are skipped. A fallback sends to them: {{last_name|お客様}}`,
  ja: `${names} の値がない宛先が${count}件あり、送信されません。{{last_name|お客様}} のように代わりの文字列を指定すると送信されます`,
});

/** What the checks of campaigns say. */
export const checkSentences: readonly Sentence[] = [
  identityMissing,
  fromMissing,
  fromNotAllowed,
  noticeMissing,
  audienceMissing,
  chosenRemoved,
  recipientsMissing,
  subjectEmpty,
  bodyEmpty,
  serverRequired,
  mailboxOnly,
  valueMissing,
  unknownPlaceholder,
  placeholderInHost,
  unclosedPlaceholder,
];

const fault = (code: string, path: string, message: FieldError['message']): FieldError => ({
  in: 'body',
  path,
  code,
  message,
});

/** What is missing of who sends it: 特定電子メール法 Art. 4, for mail order 特定商取引法. */
export function identityFaults(sender: CampaignSender, settings: MailSettings): FieldError[] {
  const { from_email, mail_order, notice_url } = sender;
  const told = ['sender_name', 'sender_address', 'sender_contact'] as const;
  const faults = told
    .filter((field) => !sender[field])
    .map((field) => fault('sender_identity_missing', `/${field}`, identityMissing(field)));
  if (from_email === null) faults.push(fault('sender_identity_missing', '/from_email', fromMissing()));
  else if (!isOwnDomain(from_email, settings)) {
    faults.push(fault('domain_not_allowed', '/from_email', fromNotAllowed(from_email)));
  }
  if (mail_order && notice_url === null) {
    faults.push(fault('mail_order_notice_missing', '/mail_order_notice_url', noticeMissing()));
  }
  return faults;
}

/** What is missing of what it says. Unknown placeholders are refused when it is saved: these are of rows from before. */
export function contentFaults({
  subject,
  preheader,
  body_html,
  body_text,
}: Pick<Campaign, 'subject' | 'preheader' | 'body_html' | 'body_text'>): FieldError[] {
  const faults: FieldError[] = [];
  if (!subject?.trim()) faults.push(fault('empty_subject', '/subject', subjectEmpty()));
  if (!body_text?.trim() && !showsSomething(body_html)) {
    faults.push(fault('empty_body', '/body_html', bodyEmpty()));
  }
  const texts = { subject, preheader, body_text };
  for (const [field, text] of Object.entries(texts)) {
    faults.push(...parsePlaceholders(text ?? '').faults.map((one) => errorOf(`/${field}`, one)));
  }
  faults.push(...hostFaults(body_text ?? '', { in_text: true }).map((one) => errorOf('/body_text', one)));
  return [...faults, ...htmlBody(body_html ?? '').faults.map((one) => errorOf('/body_html', one))];
}

function showsSomething(html: string | null): boolean {
  return html !== null && (textOfHtml(html) !== '' || /<img\b/.test(html));
}

/** Nobody is named whom a test mail could come from: 422 at /from_email. */
export function noSender(): Failure {
  return invalid('/from_email', 'sender_identity_missing', fromMissing());
}

/** Neither a list nor a segment. */
export function noAudience(): FieldError {
  return fault('no_audience', '/list_ids', audienceMissing());
}

/** A list or a segment that is there no more. */
export function removed({ id, path }: { id: string; path: string }): FieldError {
  return fault('unknown_reference', path, chosenRemoved(id));
}

/** Nobody of the audience may be mailed. */
export function noRecipients(): FieldError {
  return fault('no_recipients', '/list_ids', recipientsMissing());
}

/** Without a mail server so many mails would be read by nobody. */
export function tooManyForMailbox(eligible: number, { has_mail_server }: MailServer): FieldError[] {
  if (has_mail_server || eligible <= MOST_IN_MAILBOX) return [];
  return [fault('mail_server_required', '/list_ids', serverRequired(String(eligible)))];
}

/** What is odd about how it would leave. */
export function serverWarnings({ has_mail_server }: MailServer): MailWarning[] {
  return has_mail_server ? [] : [{ code: 'local_mailbox', path: '', message: mailboxOnly().en }];
}

/** Placeholders without a fallback for which contacts of the audience have no value. */
export function missingValueWarnings({ skipped_by }: AudienceCounts, { needed }: Audience): MailWarning[] {
  const { missing_value = 0 } = skipped_by;
  if (missing_value === 0) return [];
  const names = needed.filter(isOfContact).map((name) => `{{${name}}}`);
  const { en } = valueMissing(String(missing_value), names.join(', '));
  return [{ code: 'missing_value', path: '', message: en }];
}
