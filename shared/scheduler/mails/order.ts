import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { inWork } from '../../db/in-work.ts';
import { systemActor } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { sendMailJob } from '../../platform/mailer/jobs.ts';
import { eachDue } from '../../platform/sweeps/each-due.ts';

/*
 * The mails of a record to one recipient leave in the order of its changes: each waits until the one before has ended, be
 * it sent, failed or unknown. Who adds one locks the rows of those that have not ended; who ends one writes its row and
 * looks for the next after that. So one of both sees the other.
 */

/** Mails of a record and recipient that somebody may still send; `$2` names the records. */
const OPEN = `SELECT said.record_id, said.recipient
  FROM scheduler_mails AS said
  JOIN mails AS mail ON mail.organization_id = said.organization_id AND mail.id = said.mail_id
 WHERE said.organization_id = $1 AND said.record_id = ANY ($2) AND NOT said.is_ended
   AND mail.status IN ('queued', 'sending')
 ORDER BY said.record_id, said.recipient, said.position FOR NO KEY UPDATE OF said`;

/** Says whether a recipient has yet to get an earlier mail about one of the records, whose mails are locked. */
export async function openMails(
  { connection, organization_id }: Work,
  record_ids: readonly string[],
): Promise<(record_id: string, recipient: string) => boolean> {
  if (record_ids.length === 0) return () => false;
  const rows = await connection.query<{ record_id: string; recipient: string }>(OPEN, [
    organization_id,
    record_ids,
  ]);
  const open = new Set(rows.map(({ record_id, recipient }) => `${record_id} ${recipient}`));
  return (record_id, recipient) => open.has(`${record_id} ${recipient}`);
}

/** An earlier mail of the same record to the same recipient, which has not ended. */
const EARLIER = `EXISTS (
  SELECT FROM scheduler_mails AS earlier
    JOIN mails AS mail ON mail.organization_id = earlier.organization_id AND mail.id = earlier.mail_id
   WHERE earlier.organization_id = said.organization_id AND earlier.record_id = said.record_id
     AND earlier.recipient = said.recipient AND earlier.position < said.position AND NOT earlier.is_ended
     AND mail.status IN ('queued', 'sending'))`;

/** Notes the end of a mail, and lets the next one go. */
export async function mailEnded(work: Work, mail_id: string): Promise<void> {
  const { connection, organization_id } = work;
  const [ended] = await connection.query<{ record_id: string; recipient: string }>(
    `UPDATE scheduler_mails SET is_ended = true, is_waiting = false
      WHERE organization_id = $1 AND mail_id = $2 RETURNING record_id, recipient`,
    [organization_id, mail_id],
  );
  if (!ended) return;
  const { record_id, recipient } = ended;
  await release(work, 'said.record_id = $3 AND said.recipient = $4', [record_id, recipient]);
}

/** Lets the mails of a record go that wait for something else than an earlier one: it is there. */
export async function releaseHeldMails(work: Work, record_id: string): Promise<void> {
  await work.connection.query(
    `UPDATE scheduler_mails SET waits_until = NULL
      WHERE organization_id = $1 AND record_id = $2 AND is_waiting AND waits_until IS NOT NULL`,
    [work.organization_id, record_id],
  );
  await release(work, 'said.record_id = $3', [record_id]);
}

/** Asks for the delivery of those waiting mails that need not wait any more. Answers how many. */
async function release(work: Work, which: string, values: readonly string[]): Promise<number> {
  const released = await work.connection.query<{ mail_id: string }>(
    `UPDATE scheduler_mails AS said SET is_waiting = false
      WHERE said.organization_id = $1 AND ${which} AND said.is_waiting
        AND (said.waits_until IS NULL OR said.waits_until <= $2) AND NOT ${EARLIER}
      RETURNING said.mail_id`,
    [work.organization_id, work.now.toISOString(), ...values],
  );
  for (const { mail_id } of released) work.enqueue(sendMailJob, { mail_id });
  return released.length;
}

/** Those of the mails whose delivery is not asked for yet. */
export async function waitingMails(
  { connection, organization_id, now }: Work,
  mail_ids: readonly string[],
): Promise<string[]> {
  const rows = await connection.query<{ mail_id: string }>(
    `SELECT said.mail_id FROM scheduler_mails AS said
      WHERE said.organization_id = $1 AND said.mail_id = ANY ($2) AND said.is_waiting
        AND (said.waits_until > $3 OR ${EARLIER})`,
    [organization_id, mail_ids, now.toISOString()],
  );
  return rows.map(({ mail_id }) => mail_id);
}

type Due = { organization_id: string; mail_id: string; waits_until: string };

/** Mails that one look of the sweep finds. */
const LOOK = 200;

/** Lets mails go that have waited long enough for what did not come. Answers how many. */
export function releaseDueMails(database: Database, now: Date, signal: AbortSignal): Promise<number> {
  return eachDue(
    {
      look: (after: Due | undefined) => dueMails(database, now, after),
      size: LOOK,
      signal,
      fault: 'mails could not be released',
    },
    ({ organization_id, mail_id }) =>
      database.withConnection(organization_id, (connection) =>
        inWork(
          { connection, organization_id, actor: systemActor, now, request_id: null, ip_address: null },
          async (work) => (await release(work, 'said.mail_id = $3', [mail_id])) > 0,
          { may_change_nothing: true },
        ),
      ),
  );
}

function dueMails(database: Database, now: Date, after: Due | undefined): Promise<Due[]> {
  return database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query<Due>(
      `SELECT organization_id, mail_id, waits_until::text AS waits_until FROM scheduler_mails
        WHERE is_waiting AND waits_until <= $1 AND (waits_until, mail_id) > ($2::timestamptz, $3)
        ORDER BY scheduler_mails.waits_until, mail_id LIMIT ${LOOK}`,
      [now.toISOString(), after?.waits_until ?? '-infinity', after?.mail_id ?? ''],
    ),
  );
}
