import type { Work } from '../../kernel/work.ts';
import { reasons } from '../operators/reasons.ts';
import type { Orphans } from '../outbox/orphans.ts';
import { sendMailJob } from './jobs.ts';
import type { MailEnding } from './purpose.ts';
import type { Purposes } from './purposes.ts';
import { type MailRow, markEnded } from './record.ts';

/** Mails without a delivery. */
export function orphanedMails(purposes: Purposes): Orphans {
  return {
    find: `SELECT organization_id, id FROM mails WHERE status IN ('queued', 'sending')
      EXCEPT SELECT organization_id, payload ->> 'mail_id' FROM outbox WHERE name = '${sendMailJob.name}'`,
    restore: async (work, ids) => {
      const orphans = await lockOrphans(work, purposes, ids);
      for (const mail of orphans) await restoreMail(work, purposes, mail);
      return orphans.length;
    },
  };
}

async function restoreMail(work: Work, purposes: Purposes, mail: MailRow): Promise<void> {
  const purpose = purposes.get(mail.purpose)!;
  const about = purpose.about.parse(mail.about);
  if (mail.status === 'queued') {
    const job_id = purpose.jobOf?.(about) ?? null;
    work.enqueue(sendMailJob, { mail_id: mail.id }, { job_id });
    return;
  }
  const ending = { now: work.now, attempt: mail.attempts, ...CUT_OFF };
  await markEnded(work.connection, work.organization_id, mail.id, ending);
  await purpose.ended?.(about, work, CUT_OFF, mail.id);
}

const CUT_OFF: MailEnding = {
  status: 'unknown',
  error: reasons.answer_lost().en,
};

/**
 * Those without a delivery also once they are locked, less those that wait for something else first. What waits is read
 * before the outbox: a mail stops to wait in the transaction that asks for its delivery, so one that does not wait any
 * more has its delivery in the later snapshot.
 */
async function lockOrphans(work: Work, purposes: Purposes, ids: readonly string[]): Promise<MailRow[]> {
  const { connection, organization_id } = work;
  const locked = await connection.query<MailRow>(
    `SELECT id, purpose, about, locale, status, attempts FROM mails
      WHERE organization_id = $1 AND id = ANY ($2) AND status IN ('queued', 'sending')
      ORDER BY id FOR UPDATE SKIP LOCKED`,
    [organization_id, ids],
  );
  const mails = locked.filter(({ purpose }) => purposes.has(purpose));
  const cared_for = new Set<string>();
  for (const [name, own] of Map.groupBy(mails, ({ purpose }) => purpose)) {
    const waiting = await purposes.get(name)?.waiting?.(
      work,
      own.map(({ id }) => id),
    );
    for (const id of waiting ?? []) cared_for.add(id);
  }
  const delivered = await connection.query<{ id: string }>(
    `SELECT payload ->> 'mail_id' AS id FROM outbox
      WHERE organization_id = $1 AND name = $2 AND payload ->> 'mail_id' = ANY ($3)`,
    [organization_id, sendMailJob.name, mails.map(({ id }) => id)],
  );
  for (const { id } of delivered) cared_for.add(id);
  return mails.filter(({ id }) => !cared_for.has(id));
}
