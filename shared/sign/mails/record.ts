import { z } from 'zod';
import type { Text } from '../../kernel/language.ts';
import type { Reader } from '../../kernel/reader.ts';
import { id } from '../../kernel/schema.ts';
import type { Table } from '../../kernel/work.ts';

/** The kinds of mails. `decline`, `cancel`, `forward`, `undelivered` and `seal_failed` tell of what others did. */
export const mailKinds = [
  'invitation',
  'reminder',
  'warning',
  'code',
  'decline',
  'cancel',
  'forward',
  'copy',
  'undelivered',
  'seal_failed',
] as const;

export type MailKind = (typeof mailKinds)[number];

/** What a mail of a kind is called where all mails stand and by operators, and what it is about there. */
export function namedAs(kind: MailKind) {
  return { name: `sign.${kind}`, title: titles[kind], about };
}

const titles: Readonly<Record<MailKind, Text>> = {
  invitation: { en: 'Request to sign', ja: '署名のお願い' },
  reminder: { en: 'Reminder to sign', ja: '署名のリマインダー' },
  warning: { en: 'Warning before a document expires', ja: '書類の期限の予告' },
  code: { en: 'Code of a signer', ja: '署名者の確認コード' },
  decline: { en: 'News of a refusal to sign', ja: '署名の辞退のお知らせ' },
  cancel: { en: 'News of a cancelled document', ja: '書類の取り消しのお知らせ' },
  forward: { en: 'News of another signer', ja: '署名者の変更のお知らせ' },
  copy: { en: 'Signed document', ja: '締結済みの書類' },
  undelivered: { en: 'News of a mail that did not arrive', ja: '不達のお知らせ' },
  seal_failed: { en: 'News of a seal that failed', ja: '電子シールの失敗のお知らせ' },
};

const about = z.strictObject({ document_id: id('doc') });

/** The kinds that carry the signer's link: how far the last one of them came is the signer's `delivery`. */
export const withLink: ReadonlySet<MailKind> = new Set(['invitation', 'reminder', 'warning', 'copy']);

/** What a mail says beside what stands in the document when it is sent. */
export type Told = {
  /** Words of who asked for the mail, or of who declined or cancelled. */
  message?: string | null;
  /** The signer whom the mail is about, as they were then. */
  name?: string | null;
  email?: string | null;
  /** Who is asked in their place. */
  to_name?: string;
  to_email?: string;
  /** The code that the mail carries. */
  code_id?: string;
  /** Somebody else signs in the place of whom it was for. */
  is_overtaken?: true;
  /** Whether a server refused the mail, or nobody knows what became of it. */
  outcome?: 'failed' | 'unknown';
};

/** What mails of sign say, a row a mail; their delivery stands in `mails`. */
export const SIGN_MAILS: Table = { tableName: 'sign_mails', jsonAttributes: ['told'] };

export type Said = { signer_id: string | null; kind: MailKind; told: Told };

/** What a mail says, and to whom: null for the sender. */
export async function saidBy({ connection, organization_id }: Reader, mail_id: string): Promise<Said> {
  const [said] = await connection.query<Said>(
    'SELECT signer_id, kind, told FROM sign_mails WHERE organization_id = $1 AND mail_id = $2',
    [organization_id, mail_id],
  );
  return said!;
}
