import type { Locale } from '../../platform/mailer/letter.ts';
import type { SignerRow } from '../documents/rows.ts';
import { deadlineText } from '../life/deadline.ts';
import type { MailKind, Told } from './record.ts';

/** What a mail can say. */
export type Facts = {
  kind: MailKind;
  /** In which language, and by which clock. */
  reading: { locale: Locale; time_zone: string };
  /** Whom it speaks to; `sender` is who sent the document. */
  reader: SignerRow['role'] | 'sender';
  name: string;
  organization: string;
  /** Who sent the document; null where they have left. */
  sender: string | null;
  title: string;
  /** What the sender says to all signers. */
  message: string | null;
  expires_at: string | null;
  /** Whether a code that is in no mail is asked for. */
  has_access_code: boolean;
  /** Whether the sealed file goes with the mail. */
  is_attached: boolean;
  /** The digits of a `code`. */
  code: string | null;
  told: Told;
};

/** Subject, paragraphs, what the link says, and what stands below it. */
export function wordsOf(facts: Facts): {
  subject: string;
  paragraphs: string[];
  label: string;
  notes: string[];
} {
  const { kind, reading, told } = facts;
  const say = sentences[reading.locale];
  const isAsked = kind === 'invitation' || kind === 'reminder' || kind === 'warning';
  const until = facts.expires_at === null ? null : deadlineText(facts.expires_at, reading);
  const words = kind === 'invitation' || kind === 'warning' || kind === 'copy' ? facts.message : null;
  const own = kind === 'reminder' || kind === 'decline' || kind === 'cancel' ? told.message : null;
  return {
    subject: `${say.subjects[kind](facts)}${say.colon}${facts.title}`,
    paragraphs: [
      say.greeting(facts.name),
      say.texts[kind](facts),
      ...(facts.code === null ? [] : [facts.code, say.codeLasts]),
      ...(isAsked && until !== null ? [`${say.until}${say.colon}${until}`] : []),
      ...(own ? [`${say.own[kind === 'reminder' ? 'message' : 'reason']}${say.colon}\n${own}`] : []),
      ...(words && kind !== 'copy' ? [`${say.own.message}${say.colon}\n${words}`] : []),
    ],
    label: kind === 'copy' ? say.labelCopy : say.label,
    notes: [
      ...(facts.has_access_code && (isAsked || kind === 'copy') ? [say.accessCode] : []),
      ...(isAsked ? [say.personal] : []),
    ],
  };
}

type Sentences = {
  colon: string;
  greeting: (name: string) => string;
  subjects: Record<MailKind, (facts: Facts) => string>;
  texts: Record<MailKind, (facts: Facts) => string>;
  until: string;
  own: { message: string; reason: string };
  label: string;
  labelCopy: string;
  codeLasts: string;
  accessCode: string;
  personal: string;
};

const whom = ({ sender, organization }: Facts) =>
  sender === null ? organization : `${sender} (${organization})`;
const whomJa = ({ sender, organization }: Facts) =>
  sender === null ? organization : `${organization} ${sender}`;

/** A person with their address, as far as both are known. */
const person = (name: string | null | undefined, email: string | null | undefined) =>
  [name, email && `<${email}>`].filter(Boolean).join(' ');

const sentences: Readonly<Record<Locale, Sentences>> = {
  ja: {
    colon: '：',
    greeting: (name) => `${name} 様`,
    subjects: {
      invitation: ({ reader }) => (reader === 'approver' ? '書類の承認のお願い' : '書類への署名のお願い'),
      reminder: ({ reader }) => (reader === 'approver' ? '承認のお願い（再送）' : '署名のお願い（再送）'),
      warning: ({ reader }) =>
        reader === 'sender' ? '署名の期限が近づいています' : '署名の期限が近づいています',
      code: () => '書類を開くための確認コード',
      decline: () => '署名が辞退されました',
      cancel: () => '署名の依頼が取り消されました',
      forward: () => '署名の依頼が転送されました',
      copy: () => '署名済みの書類',
      undelivered: ({ told }) =>
        told.outcome === 'unknown' ? 'メールの到着を確認できません' : 'メールが届きませんでした',
      seal_failed: () => '署名済みPDFを作成できませんでした',
    },
    texts: {
      invitation: (facts) =>
        facts.reader === 'approver'
          ? `${whomJa(facts)} さんから、書類「${facts.title}」の承認を依頼されています。下のリンクから内容をご確認ください。`
          : `${whomJa(facts)} さんから、書類「${facts.title}」への署名を依頼されています。下のリンクから内容をご確認のうえ、ご署名ください。`,
      reminder: (facts) =>
        `${whomJa(facts)} さんから依頼された書類「${facts.title}」は、まだ${facts.reader === 'approver' ? '承認' : '署名'}されていません。下のリンクからお手続きください。`,
      warning: (facts) =>
        facts.reader === 'sender'
          ? `書類「${facts.title}」の期限が近づいていますが、まだ署名していない方がいます。`
          : `${whomJa(facts)} さんから依頼された書類「${facts.title}」の期限が近づいています。下のリンクからお手続きください。`,
      code: ({ title }) => `書類「${title}」を開くための確認コードです。`,
      decline: ({ title, told }) =>
        `書類「${title}」は、${person(told.name, told.email)} さんが署名を辞退したため、取り消されました。`,
      cancel: (facts) =>
        `${whomJa(facts)} さんが、書類「${facts.title}」の署名の依頼を取り消しました。お手続きは不要です。`,
      forward: ({ title, told }) =>
        `書類「${title}」の署名の依頼が、${person(told.name, told.email)} さんから ${person(told.to_name, told.to_email)} さんに転送されました。`,
      copy: ({ title, is_attached }) =>
        is_attached
          ? `書類「${title}」に全員の署名がそろいました。署名済みの書類（PDF）を添付します。`
          : `書類「${title}」に全員の署名がそろいました。署名済みの書類（PDF）は、下のリンクから取得できます。`,
      undelivered: ({ title, told }) =>
        told.outcome === 'unknown'
          ? `書類「${title}」について ${person(told.name, told.email)} さんに送ったメールが届いたかどうか、確認できません。ご本人に確認し、届いていなければ催促を送ってください。`
          : `書類「${title}」について ${person(told.name, told.email)} さんに送ったメールが届きませんでした。宛先を確認し、署名者を変更するか、催促を送ってください。`,
      seal_failed: ({ title }) =>
        `書類「${title}」には全員が署名しましたが、改ざん防止の電子署名を付けられず、署名済みPDFを作成できませんでした。署名の内容は保存されています。もう一度作成を実行してください。`,
    },
    until: '期限',
    own: { message: 'メッセージ', reason: '理由' },
    label: '書類を開く',
    labelCopy: '署名済みの書類を開く',
    codeLasts: 'コードは10分間有効です。心当たりのない場合は、このメールを破棄してください。',
    accessCode: '開くときに、送信者から別途お知らせするアクセスコードが必要です。',
    personal: 'リンクはご本人専用です。ほかの方に転送しないでください。',
  },
  en: {
    colon: ': ',
    greeting: (name) => `Dear ${name},`,
    subjects: {
      invitation: ({ reader }) => (reader === 'approver' ? 'Please approve' : 'Please sign'),
      reminder: ({ reader }) =>
        reader === 'approver' ? 'Reminder: please approve' : 'Reminder: please sign',
      warning: () => 'The time to sign ends soon',
      code: () => 'Your code to open a document',
      decline: () => 'Signing was declined',
      cancel: () => 'The request to sign was cancelled',
      forward: () => 'The request to sign was forwarded',
      copy: () => 'Signed by all',
      undelivered: ({ told }) =>
        told.outcome === 'unknown' ? 'A mail may not have arrived' : 'A mail could not be delivered',
      seal_failed: () => 'The document could not be sealed',
    },
    texts: {
      invitation: (facts) =>
        facts.reader === 'approver'
          ? `${whom(facts)} asks you to approve the document "${facts.title}". Please read it at the link below.`
          : `${whom(facts)} asks you to sign the document "${facts.title}". Please read and sign it at the link below.`,
      reminder: (facts) =>
        `The document "${facts.title}" from ${whom(facts)} still waits for your ${facts.reader === 'approver' ? 'approval' : 'signature'}. Please go on at the link below.`,
      warning: (facts) =>
        facts.reader === 'sender'
          ? `The document "${facts.title}" expires soon, and somebody has not signed yet.`
          : `The document "${facts.title}" from ${whom(facts)} expires soon. Please go on at the link below.`,
      code: ({ title }) => `This code opens the document "${title}".`,
      decline: ({ title, told }) =>
        `${person(told.name, told.email)} declined to sign the document "${title}", so it is cancelled.`,
      cancel: (facts) =>
        `${whom(facts)} cancelled the request to sign the document "${facts.title}". There is nothing left to do.`,
      forward: ({ title, told }) =>
        `${person(told.name, told.email)} forwarded the request to sign the document "${title}" to ${person(told.to_name, told.to_email)}.`,
      copy: ({ title, is_attached }) =>
        is_attached
          ? `All have signed the document "${title}". The sealed document is attached.`
          : `All have signed the document "${title}". You find the sealed document at the link below.`,
      undelivered: ({ title, told }) =>
        told.outcome === 'unknown'
          ? `Nobody knows whether the mail about the document "${title}" reached ${person(told.name, told.email)}. Ask them, and send a reminder where it did not.`
          : `The mail about the document "${title}" did not reach ${person(told.name, told.email)}. Check the address, then replace the signer or send a reminder.`,
      seal_failed: ({ title }) =>
        `All have signed the document "${title}", but it could not be sealed. The signatures are kept. Please have it sealed again.`,
    },
    until: 'Until',
    own: { message: 'Message', reason: 'Reason' },
    label: 'Open the document',
    labelCopy: 'Open the signed document',
    codeLasts: 'It works for 10 minutes. If you did not ask for it, throw this mail away.',
    accessCode: 'To open it you need an access code, which the sender tells you in another way.',
    personal: 'The link is yours alone: please do not forward it.',
  },
};
