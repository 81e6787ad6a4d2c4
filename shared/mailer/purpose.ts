import type { z } from 'zod';
import type { Connection } from '../kernel/connection.ts';
import type { Letter } from './letter.ts';

export type Locale = 'ja' | 'en';

/** What a purpose is handed when its mail is about to be sent. What it writes commits before the mail leaves. */
export type Composing = {
  connection: Connection;
  organization_id: string;
  locale: Locale;
  now: Date;
  base_url: string;
  /** A new 256-bit token for a link; only its hash may be stored. */
  newToken: () => string;
};

/** Why a mail has become pointless since it was asked for. */
export type Pointless = { pointless: string };

/** A kind of mail: which IDs say whom it is about, and how it is written from fresh data when it is sent. */
export type Purpose<About extends z.ZodType = z.ZodType> = {
  /** Stands in `mails.purpose`. */
  name: string;
  about: About;
  compose: (about: z.output<About>, composing: Composing) => Promise<Letter | Pointless>;
};

/** Declares a kind of mail. */
export function purpose<About extends z.ZodType>(declaration: Purpose<About>): Purpose<About> {
  return declaration;
}
