import type { z } from 'zod';
import type { Connection } from '../../kernel/connection.ts';
import { newId } from '../../kernel/id.ts';
import type { Table, Work } from '../../kernel/work.ts';
import { sendMailJob } from './jobs.ts';
import type { Locale } from './letter.ts';
import type { Purpose } from './purpose.ts';

type Asked<About extends z.ZodType> = {
  purpose: Pick<Purpose<About>, 'name' | 'about'>;
  about: z.input<About>;
  locale: Locale;
};

/**
 * Adds a mail whose delivery its domain asks for itself (`sendMailJob`), perhaps later. Answers the mail's ID.
 */
export function addMail<About extends z.ZodType>(work: Work, asked: Asked<About>): string {
  const { about, ...rest } = asked;
  const [id] = addMails(work, { ...rest, abouts: [about] });
  return id!;
}

/** The same for many mails of one purpose, in one statement. Answers their IDs in the order of what they are about. */
export function addMails<About extends z.ZodType>(
  work: Work,
  { purpose, abouts, locale }: Omit<Asked<About>, 'about'> & { abouts: readonly z.input<About>[] },
): string[] {
  const created_at = work.now.toISOString();
  const rows = abouts.map((about) => ({
    id: newId('mail', work.now),
    purpose: purpose.name,
    about: purpose.about.parse(about),
    locale,
    status: 'queued',
    created_at,
    updated_at: created_at,
  }));
  work.insertAll(MAILS, rows);
  return rows.map(({ id }) => id);
}

const MAILS: Table = { tableName: 'mails', jsonAttributes: ['about'] };

/** Who asks: a work, or the connection of any other transaction with its time. */
export type Asking = { readonly connection: Connection; readonly now: Date };

/**
 * Asks for a mail; it is sent after the commit. `speaks` is the user whose language it is written in. The mail and
 * its job are one statement, so that they stand or fall together even where no transaction is open. Answers the
 * mail's ID.
 */
export async function queueMail<About extends z.ZodType>(
  { connection, now }: Asking,
  organization_id: string,
  { purpose, about, speaks }: { purpose: Purpose<About>; about: z.input<About>; speaks: string | null },
): Promise<string> {
  const mail_id = newId('mail', now);
  await connection.query(
    `WITH mail AS (
       INSERT INTO mails (organization_id, id, purpose, about, locale, status, created_at, updated_at)
       VALUES ($1, $2, $3, $4, COALESCE((SELECT locale FROM users WHERE id = $5), 'ja'), 'queued', $6, $6)
     ), delivery AS (
       INSERT INTO outbox (organization_id, id, queue, name, payload, created_at)
       VALUES ($1, $7, $8, $9, $10, $6)
     )
     SELECT pg_notify('outbox', '')`,
    [
      organization_id,
      mail_id,
      purpose.name,
      JSON.stringify(purpose.about.parse(about)),
      speaks,
      now.toISOString(),
      newId('dlv', now),
      sendMailJob.queue,
      sendMailJob.name,
      JSON.stringify(sendMailJob.payload.parse({ mail_id })),
    ],
  );
  return mail_id;
}
