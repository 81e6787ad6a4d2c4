import type { Work } from '../../kernel/work.ts';
import { createJob } from '../../platform/jobs/operations.ts';
import type { JobResource } from '../../platform/jobs/record.ts';
import { moveCounts, moveHourlyCounts } from '../campaigns/counts.ts';
import { campaignById } from '../campaigns/queries.ts';
import { updateMailContact } from '../contacts/operations.ts';
import { type SuppressionRow, suppressionOf } from '../suppressions/queries.ts';
import { SuppressionModel, suppressionFacts } from '../suppressions/record.ts';
import { revertBouncesJob } from './jobs.ts';
import { bouncedRecipients, type MailedRecipient, Recipients } from './recipients.ts';

/** Recipients of one transaction. */
const SLICE = 100;

/** Asks for the bounces of a campaign to be taken back. Errors: `not_found`. */
export async function askForRevert(work: Work, campaign_id: string): Promise<JobResource> {
  await campaignById(work, campaign_id);
  const job = createJob(work, { kind: 'mail.campaigns.revert_bounces', scope: 'mail:write', unit: 'rows' });
  work.enqueue(revertBouncesJob, { campaign_id, job_id: job.id }, { job_id: job.id });
  return job;
}

/**
 * Takes the bounces of the next recipients back: their rows lose them, contacts that they made `bounced` and that are unchanged
 * since are active, and their suppressions go. Answers the last number and how many there were; null when there are no more. Safe
 * to run twice. Locks: the recipients, the contacts, the suppressions, the counts.
 */
export async function revertSlice(
  work: Work,
  { campaign_id, after }: { campaign_id: string; after: number },
): Promise<{ last: number; count: number } | null> {
  const recipients = await bouncedRecipients(work, { campaign_id, after, most: SLICE });
  const last = recipients.at(-1);
  if (!last) return null;
  const contact_ids = await unchangedContacts(work, recipients);
  await liftSuppressions(work, recipients);
  await work.flush();
  const suppressed = await suppressedHashes(work, recipients);
  for (const recipient of recipients) {
    const isLifted = !suppressed.has(recipient.email_hash.toString('hex'));
    if (recipient.contact_id !== null && contact_ids.has(recipient.contact_id) && isLifted) {
      await updateMailContact(work, recipient.contact_id, { status: 'active', status_reason: null });
    }
    forgetBounce(work, recipient);
  }
  return { last: last.number, count: recipients.length };
}

/** The contacts that have the revision which their bounce gave them, locked in the order of their e-mails. */
async function unchangedContacts(
  { connection, organization_id }: Work,
  recipients: readonly MailedRecipient[],
): Promise<Set<string>> {
  const given = new Map(
    recipients.flatMap(({ contact_id, bounced_contact_at }) =>
      contact_id !== null && bounced_contact_at !== null ? [[contact_id, bounced_contact_at]] : [],
    ),
  );
  const rows = await connection.query<{ id: string; updated_at: string }>(
    `SELECT id, updated_at FROM mail_contacts
      WHERE organization_id = $1 AND id = ANY ($2) AND status = 'bounced' ORDER BY email_key FOR NO KEY UPDATE`,
    [organization_id, [...given.keys()]],
  );
  return new Set(rows.filter(({ id, updated_at }) => given.get(id) === updated_at).map(({ id }) => id));
}

async function liftSuppressions(work: Work, recipients: readonly MailedRecipient[]): Promise<void> {
  const ids = recipients.flatMap(({ bounce_suppression_id }) => bounce_suppression_id ?? []);
  const rows = await work.connection.query<SuppressionRow>(
    `SELECT id, email, reason, created_at, updated_at FROM suppressions
      WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR UPDATE`,
    [work.organization_id, ids],
  );
  for (const row of rows) {
    work.remove(SuppressionModel, row.id);
    work.record(suppressionFacts.deleted, { before: suppressionOf(row), after: null });
  }
}

/** The addresses that stay suppressed, because somebody else wants it. */
async function suppressedHashes(
  { connection, organization_id }: Work,
  recipients: readonly MailedRecipient[],
): Promise<Set<string>> {
  const rows = await connection.query<{ email_hash: Buffer }>(
    'SELECT email_hash FROM suppressions WHERE organization_id = $1 AND email_hash = ANY ($2)',
    [organization_id, recipients.map(({ email_hash }) => email_hash)],
  );
  return new Set(rows.map(({ email_hash }) => email_hash.toString('hex')));
}

function forgetBounce(work: Work, recipient: MailedRecipient): void {
  work.update(Recipients, recipient.id, {
    bounce_class: null,
    bounce_status: null,
    bounce_diagnostic: null,
    bounce_at: null,
    bounce_suppression_id: null,
    bounced_contact_at: null,
    updated_at: work.touch(recipient),
  });
  moveCounts(work, recipient, { [`${recipient.bounce_class!}_bounces` as const]: -1 });
  moveHourlyCounts(work, recipient, recipient.bounce_at!, { bounces: -1 });
}
