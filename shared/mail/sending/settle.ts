import type { Work } from '../../kernel/work.ts';
import { bounceRecipient } from '../bounces/changes.ts';
import { classOfRefusal, failureStatus } from '../bounces/classify.ts';
import type { BounceReport } from '../bounces/event.ts';
import { recipientsByNumber } from '../bounces/recipients.ts';
import { type CampaignCounts, moveCounts, moveHourlyCounts } from '../campaigns/counts.ts';
import { countSkips } from '../campaigns/skips.ts';
import type { CampaignStatus } from '../campaigns/words.ts';
import { countMinute } from './ledger.ts';
import { lockRecipients } from './lock.ts';
import type { Outcome } from './outcomes.ts';
import { answerOf } from './refusals.ts';

/** What becomes of a marked row; `at`: ISO 8601, when the dialogue ended. */
export type Settlement = { number: number; outcome: Outcome; message_id: string | null; at: string };

/** Of what happened to a refusal while it is not known whether it is about the sender. */
export const IN_A_ROW = 'refused_in_a_row';

type SettledRow = {
  number: number;
  was: 'sending' | 'unknown';
  status: Outcome['status'];
  reason: string | null;
  tracked: boolean;
  at: string;
};

/**
 * Writes what became of rows that a slice had marked, all in one statement, with when their contacts were mailed and their counts. What
 * the server took is known also after the lease has run out; its words are not, of an erased contact. Of a campaign that is over nothing
 * is queued again. Locks: the recipients by number, their contacts by e-mail, the suppressions, the counts.
 */
export async function settleRecipients(
  work: Work,
  { campaign_id, lease_id, status }: { campaign_id: string; lease_id: string; status: CampaignStatus | null },
  settlements: readonly Settlement[],
): Promise<void> {
  const given = settlements
    .flatMap((each) => (each.outcome.status === 'queued' ? queuedAgain(each, status) : [each]))
    .toSorted((left, right) => left.number - right.number);
  if (given.length === 0) return;
  const outcomes = given.map(({ outcome }) => outcome);
  const numbers = given.map(({ number }) => number);
  const isBounced = outcomes.some(({ bounce }) => bounce !== null);
  const locking = isBounced ? lockRecipients(work, campaign_id, numbers) : null;
  const settling = work.connection.query<SettledRow>(
    `WITH given AS (
       SELECT * FROM unnest($4::integer[], $5::text[], $6::text[], $7::smallint[], $8::timestamptz[], $9::text[],
         $10::text[], $11::timestamptz[])
         AS given (number, status, reason, attempts, next_attempt_at, smtp_response, message_id, at)
     ), held AS MATERIALIZED (
       SELECT number, status AS was, contact_id FROM mail_campaign_recipients
        WHERE organization_id = $1 AND campaign_id = $2 AND number = ANY ($4) AND lease_id = $3
          AND status IN ('sending', 'unknown') ORDER BY number FOR UPDATE
     ), reached AS MATERIALIZED (
       SELECT contact_id, at FROM given JOIN held USING (number) WHERE given.status = 'sent'
     ), contacts AS MATERIALIZED (
       SELECT id FROM mail_contacts WHERE organization_id = $1 AND id = ANY (ARRAY (SELECT contact_id FROM reached))
        ORDER BY email_key FOR NO KEY UPDATE
     ), noted AS (
       UPDATE mail_contacts AS contact SET last_sent_at = greatest(contact.last_sent_at, reached.at)
         FROM contacts JOIN reached ON reached.contact_id = contacts.id
        WHERE contact.organization_id = $1 AND contact.id = contacts.id
     )
     UPDATE mail_campaign_recipients AS row
        SET status = given.status, reason = given.reason, attempts = given.attempts,
            next_attempt_at = given.next_attempt_at, smtp_response = CASE WHEN row.contact_id IS NOT NULL
              THEN coalesce(given.smtp_response, row.smtp_response) END,
            message_id = coalesce(given.message_id, row.message_id), sent_at = CASE WHEN given.status = 'sent' THEN given.at END,
            lease_until = NULL, lease_id = CASE WHEN given.status = 'unknown' THEN row.lease_id END,
            updated_at = greatest($12::timestamptz, row.updated_at)
       FROM given JOIN held USING (number)
      WHERE row.organization_id = $1 AND row.campaign_id = $2 AND row.number = given.number
     RETURNING row.number, held.was, row.status, row.reason, row.tracked, given.at`,
    [
      work.organization_id,
      campaign_id,
      lease_id,
      numbers,
      outcomes.map(({ status }) => status),
      outcomes.map(({ reason }) => reason),
      outcomes.map(({ attempts }) => attempts),
      outcomes.map(({ next_attempt_at }) => next_attempt_at),
      outcomes.map(({ smtp_response }) => smtp_response),
      given.map(({ message_id }) => message_id),
      given.map(({ at }) => at),
      work.now.toISOString(),
    ],
  );
  const [rows] = await Promise.all([settling, locking]);
  count(work, campaign_id, rows);
  const settled = new Set(rows.map(({ number }) => number));
  const bounces = given.flatMap(({ number, outcome, at }) =>
    outcome.bounce && settled.has(number) ? [{ number, bounce: outcome.bounce, at }] : [],
  );
  await bounceNumbers(work, campaign_id, bounces);
}

/** A row to be queued again, as its campaign stands: of one that is over it is skipped, or stays `unknown` with its lease run out. */
function queuedAgain(settlement: Settlement, status: CampaignStatus | null): Settlement[] {
  if (status === 'cancelled') return [cancelled(settlement)];
  return status === 'sent' ? [] : [settlement];
}

function cancelled(settlement: Settlement): Settlement {
  const { outcome } = settlement;
  return {
    ...settlement,
    outcome: { ...outcome, status: 'skipped', reason: 'cancelled', next_attempt_at: null },
  };
}

function count(work: Work, campaign_id: string, rows: readonly SettledRow[]): void {
  const [first] = rows;
  if (!first) return;
  const counted = { campaign_id, number: first.number };
  const moves: CampaignCounts = {};
  const move = (name: keyof CampaignCounts, by: number) => {
    moves[name] = (moves[name] ?? 0) + by;
  };
  for (const { was, status, tracked } of rows) {
    move(was, -1);
    move(status, 1);
    if (status === 'sent' && tracked) move('sent_tracked', 1);
  }
  moveCounts(work, counted, moves);
  const sent = rows.filter(({ status }) => status === 'sent');
  for (const [hour, each] of Map.groupBy(sent, ({ at }) => at.slice(0, 13))) {
    moveHourlyCounts(work, counted, hour, { sent: each.length });
  }
  countMinute(work, campaign_id, sent.length);
  countSkips(
    work,
    counted,
    rows.flatMap(({ status, reason }) => (status === 'skipped' ? [reason!] : [])),
  );
}

/** A refusal of a recipient by its number; `at`: ISO 8601. */
type Bounced = { number: number; bounce: BounceReport; at: string };

/** A refusal that is not judged yet, with what it counts as. */
export type Held = Bounced & { answer: string };

async function bounceNumbers(work: Work, campaign_id: string, bounces: readonly Bounced[]): Promise<void> {
  if (bounces.length === 0) return;
  const byNumber = new Map(bounces.map((each) => [each.number, each]));
  for (const recipient of await recipientsByNumber(work, campaign_id, [...byNumber.keys()])) {
    const { bounce, at } = byNumber.get(recipient.number)!;
    // What a server wrote often names the address: of an erased contact it is not kept.
    const diagnostic = recipient.contact_id === null ? null : bounce.diagnostic;
    await bounceRecipient(work, recipient, { ...bounce, diagnostic }, at);
  }
}

/** Refusals in a row that are not about the sender: they are bounces. Those that were judged meanwhile are passed over. */
export async function bounceHeld(
  work: Work,
  campaign_id: string,
  bounces: readonly Bounced[],
): Promise<void> {
  if (bounces.length === 0) return;
  const numbers = bounces.map(({ number }) => number);
  const locking = lockRecipients(work, campaign_id, numbers);
  const judging = work.connection.query<{ number: number }>(
    `UPDATE mail_campaign_recipients SET reason = 'refused'
      WHERE organization_id = $1 AND campaign_id = $2 AND number = ANY ($3)
        AND status = 'failed' AND reason = '${IN_A_ROW}' RETURNING number`,
    [work.organization_id, campaign_id, numbers],
  );
  const [rows] = await Promise.all([judging, locking]);
  const held = new Set(rows.map(({ number }) => number));
  await bounceNumbers(
    work,
    campaign_id,
    bounces.filter(({ number }) => held.has(number)),
  );
}

/** Refusals in a row that are about the sender: their recipients are queued as before, and have bounced nobody. */
export async function queueHeld(work: Work, campaign_id: string): Promise<void> {
  const rows = await work.connection.query<{ number: number }>(
    `UPDATE mail_campaign_recipients SET status = 'queued', reason = NULL, attempts = greatest(attempts - 1, 0)
      WHERE organization_id = $1 AND campaign_id = $2 AND number IN (
        SELECT number FROM mail_campaign_recipients
         WHERE organization_id = $1 AND campaign_id = $2 AND status = 'failed' AND reason = '${IN_A_ROW}'
         ORDER BY number FOR UPDATE)
     RETURNING number`,
    [work.organization_id, campaign_id],
  );
  const [first] = rows;
  if (first)
    moveCounts(work, { campaign_id, number: first.number }, { failed: -rows.length, queued: rows.length });
}

/** The refusals in a row that are not judged yet, from what the rows keep: which command was refused they do not. */
export async function heldRefusals(
  { connection, organization_id }: Pick<Work, 'connection' | 'organization_id'>,
  campaign_id: string,
): Promise<Held[]> {
  const rows = await connection.query<{ number: number; smtp_response: string; updated_at: string }>(
    `SELECT number, coalesce(smtp_response, '550') AS smtp_response, updated_at FROM mail_campaign_recipients
      WHERE organization_id = $1 AND campaign_id = $2 AND status = 'failed' AND reason = '${IN_A_ROW}'
      ORDER BY number LIMIT 200`,
    [organization_id, campaign_id],
  );
  return rows.map(({ number, smtp_response, updated_at }) => {
    const code = Number(smtp_response.slice(0, 3));
    const text = smtp_response.slice(4);
    const bounce = {
      class: classOfRefusal({ code, text, answers: 'rcpt' }),
      status: failureStatus(text),
      diagnostic: smtp_response,
    };
    return { number, answer: answerOf({ code, text }), bounce, at: updated_at };
  });
}
