import { z } from 'zod';
import { Failure } from '../../kernel/failure.ts';
import { id } from '../../kernel/schema.ts';
import type { Work } from '../../kernel/work.ts';
import { failJob, stepJob, succeedJob } from '../../platform/jobs/operations.ts';
import { forgetAddressee } from '../../platform/mailer/forget-addressee.ts';
import { type Composing, type MailEnding, purpose, type WholeMail } from '../../platform/mailer/purpose.ts';
import { compileMail } from '../content/compiled.ts';
import { signingWith } from '../content/dkim.ts';
import { pointless } from '../pointless-mails.ts';
import { dkimSignerOf } from '../settings/dkim-keys.ts';
import { complete, mailOriginOf, triedRecipient } from './mail.ts';
import { campaignById } from './queries.ts';
import { campaignMail } from './sender.ts';

const PREFIXES = { ja: '[テスト] ', en: '[TEST] ' };

type About = { campaign_id: string; contact_id: string | null; to: string | null };

const NAME = { name: 'mail.campaign_test' };

/** Takes an address that is erased out of the test mails that went to it. */
export function forgetTestMails(work: Work, email_key: string): void {
  forgetAddressee(work, NAME, email_key);
}

/** A mail of a campaign to an address that somebody named, to look at before it is sent. */
export const campaignTestMail = purpose({
  ...NAME,
  title: { en: 'Test of a campaign', ja: 'キャンペーンのテスト送信' },
  about: z.strictObject({
    campaign_id: id('camp'),
    contact_id: id('mcont').nullable(),
    // null once its holder was erased.
    to: z.string().nullable(),
    job_id: id('job'),
  }),
  compose: async (about, composing) => {
    try {
      if (about.to === null) return { pointless: pointless.addressee_erased };
      return await testOf({ ...about, to: about.to }, composing);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { pointless: pointless.campaign_gone };
    }
  },
  ended: async ({ job_id }, work, ending) => followed(work, job_id, ending),
  jobOf: ({ job_id }) => job_id,
});

/** The mail, signed where its domain has a key. Errors: `not_found`, `unknown_reference`. */
async function testOf(
  { campaign_id, contact_id, to }: About & { to: string },
  composing: Composing,
): Promise<WholeMail> {
  const { work, now, base_url, mail_id, secret_keys } = composing;
  const mail = complete(await campaignMail(work, await campaignById(work, campaign_id)));
  const recipient = await triedRecipient(work, contact_id);
  const origin = await mailOriginOf(work, base_url);
  const { message, envelope } = compileMail(
    { ...mail, subject_prefix: PREFIXES[mail.locale] },
    origin,
  ).render({ ...recipient, id: mail_id, email: recipient.email || to, sent_to: to }, now);
  const domain = mail.from_email.slice(mail.from_email.lastIndexOf('@') + 1).toLowerCase();
  const signer = await dkimSignerOf(work, secret_keys, domain);
  return { message: signer ? await signingWith(signer)(message) : message, from: envelope.from, to: [to] };
}

/** The job has succeeded once every mail of it was sent; one that was not fails it, and the others go on. */
async function followed(work: Work, job_id: string, ending: MailEnding): Promise<void> {
  if (ending.status !== 'sent') {
    return failJob(work, job_id, { code: `mail_${ending.status}`, message: ending.error });
  }
  const progress = await stepJob(work, job_id);
  if (progress === null || progress.done !== progress.total) return;
  await work.flush();
  await succeedJob(work, job_id, { sent: progress.done });
}
