import { z } from 'zod';
import { email, id } from '../../kernel/schema.ts';
import type { Work } from '../../kernel/work.ts';
import { createJob } from '../../platform/jobs/operations.ts';
import type { JobResource } from '../../platform/jobs/record.ts';
import { sendMailJob } from '../../platform/mailer/jobs.ts';
import { takeAllowance } from '../../platform/mailer/mail-limits.ts';
import { addMails } from '../../platform/mailer/queue-mail.ts';
import { suppressed } from '../contacts/status.ts';
import { emailKey, suppressionHash } from '../email-key.ts';
import { noSender } from './faults.ts';
import { triedRecipient } from './mail.ts';
import { campaignById } from './queries.ts';
import { campaignMail } from './sender.ts';
import { campaignTestMail } from './test-mail.ts';

const MOST_ADDRESSES = 10;

/** Test mails of an organization in an hour. */
const TESTS_AN_HOUR = 50;

const HOUR = 60 * 60_000;

/** Where a test mail goes, and whose values it has. */
export const MailTestInput = z
  .strictObject({
    to: z
      .array(email())
      .min(1)
      .max(MOST_ADDRESSES)
      .meta({ examples: [['hanako@example.co.jp']] }),
    contact_id: id('mcont')
      .nullable()
      .describe('Whose values it has; null: nobody’s, so that every fallback stands there.')
      .optional(),
  })
  .meta({ id: 'MailTestInput' });

export type MailTestInput = z.output<typeof MailTestInput>;

/**
 * Asks for a test mail of a campaign to each of the addresses. It has no recipients, and is counted nowhere but here. Errors:
 * `not_found`, `unknown_reference` at /contact_id, `suppressed`, `rate_limited`, `validation_failed` with
 * `sender_identity_missing` at /from_email.
 */
export async function askForTests(
  work: Work,
  campaign_id: string,
  input: MailTestInput,
): Promise<JobResource> {
  const campaign = await campaignById(work, campaign_id);
  const { contact_id = null } = input;
  const { from_email } = await campaignMail(work, campaign);
  if (from_email === null) throw noSender();
  await triedRecipient(work, contact_id);
  const addresses = [...new Map(input.to.map((address) => [emailKey(address), address])).values()];
  await refuseAnySuppressed(work, input.to);
  const job = createJob(work, {
    kind: 'mail.campaigns.test',
    scope: 'mail:write',
    unit: 'mails',
    total: addresses.length,
  });
  const mail_ids = addMails(work, {
    purpose: campaignTestMail,
    abouts: addresses.map((to) => ({ campaign_id, contact_id, to, job_id: job.id })),
    locale: campaign.locale,
  });
  for (const mail_id of mail_ids) work.enqueue(sendMailJob, { mail_id }, { job_id: job.id });
  await takeAllowance(
    work,
    {
      name: 'campaign_tests',
      limit: TESTS_AN_HOUR,
      ends_at: new Date(work.now.getTime() + HOUR),
      sentence: {
        en: `An organization may send ${TESTS_AN_HOUR} test mails an hour`,
        ja: `組織がテストメールを送信できるのは、1時間に${TESTS_AN_HOUR}通までです`,
      },
    },
    addresses.length,
  );
  return job;
}

/** An address that must never be mailed again gets no test either. */
async function refuseAnySuppressed(work: Work, addresses: readonly string[]): Promise<void> {
  const { connection, organization_id } = work;
  const hashes = addresses.map((address) => suppressionHash(organization_id, emailKey(address)));
  const [row] = await connection.query<{ id: string; place: number }>(
    `SELECT id, array_position($2::bytea[], email_hash) - 1 AS place FROM suppressions
      WHERE organization_id = $1 AND email_hash = ANY ($2) ORDER BY place LIMIT 1`,
    [organization_id, hashes],
  );
  if (row) throw suppressed(row.id, `/to/${row.place}`);
}
