import type { z } from 'zod';
import type { Connection } from '../../kernel/connection.ts';
import type { Text } from '../../kernel/language.ts';
import type { Work } from '../../kernel/work.ts';
import type { SecretKeys } from '../secrets/keys.ts';
import type { Letter, Locale } from './letter.ts';

/** What a purpose is handed when its mail is about to be sent. What it writes commits before the mail leaves. */
export type Composing = {
  mail_id: string;
  work: Work;
  connection: Connection;
  organization_id: string;
  locale: Locale;
  now: Date;
  base_url: string;
  /** Who mails come from: an address, alone or as `Name <address>`. */
  mail_from: string;
  /** A new 256-bit token for a link; only its hash may be stored. */
  newToken: () => string;
  /** What opens the secrets of the organization that are sealed. */
  secret_keys: SecretKeys;
};

/** A mail that is complete already: RFC 5322 with CRLF, and the addresses of its envelope. */
export type WholeMail = { message: Buffer; from: string; to: string[] };

/** Why a mail has become pointless since it was asked for: one of those that its domain, or the platform, declares. */
export type Pointless = { pointless: Text };

/** How a mail ended, the error in words for the one who asked for it. */
export type MailEnding = { status: 'sent'; error: null } | { status: 'failed' | 'unknown'; error: string };

/** A kind of mail: which IDs say whom it is about, and how it is written from fresh data when it is sent. */
export type Purpose<About extends z.ZodType = z.ZodType> = {
  /** Stands in `mails.purpose`. */
  name: string;
  /** What such a mail is, for operators. */
  title: Text;
  about: About;
  compose(about: z.output<About>, composing: Composing): Promise<Letter | WholeMail | Pointless>;
  /** What follows from the end, in the transaction that notes it. Not called where its delivery is given up. */
  ended?(about: z.output<About>, work: Work, ending: MailEnding, mail_id: string): Promise<void>;
  /** The job that is given up with the mail's delivery, where somebody follows one. */
  jobOf?(about: z.output<About>): string;
  /** Those of the mails whose delivery is not asked for yet, since they wait for something else first. */
  waiting?(work: Work, mail_ids: readonly string[]): Promise<string[]>;
};

/** Declares a kind of mail. */
export function purpose<About extends z.ZodType>(declaration: Purpose<About>): Purpose<About> {
  return declaration;
}
