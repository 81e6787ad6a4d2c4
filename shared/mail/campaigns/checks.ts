import { z } from 'zod';
import { Failure, type FieldError, MOST_FIELD_ERRORS } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { mailNeeds } from '../content/compiled.ts';
import { MailWarning } from '../content/warnings.ts';
import { mailSettingsOf } from '../settings/queries.ts';
import { type Audience, type AudienceCounts, countAudience } from './audience.ts';
import { chosenAudience } from './chosen-audience.ts';
import {
  contentFaults,
  identityFaults,
  type MailServer,
  missingValueWarnings,
  noRecipients,
  serverWarnings,
  tooManyForMailbox,
} from './faults.ts';
import type { Campaign } from './record.ts';
import { type CampaignSender, senderOf } from './sender.ts';
import { withWarnings } from './warnings.ts';
import { skipReasons } from './words.ts';

const count = () => z.int().meta({ examples: [1_200] });

/** Whether a campaign could be sent now, and to how many. */
export const CampaignChecks = z
  .strictObject({
    ok: z.boolean().describe('Whether it can be sent: there are no errors.'),
    errors: z
      .array(MailWarning)
      .describe('What keeps it from being sent; `path` names its field, or one of the settings of mail.')
      .meta({ examples: [[]] }),
    warnings: z
      .array(MailWarning)
      .describe('What is odd about it.')
      .meta({ examples: [[]] }),
    audience: z.strictObject({
      matched: count().describe('Contacts that it is for.'),
      eligible: count().describe('Those of them who get it.'),
      skipped_by: z
        .partialRecord(z.enum(skipReasons), z.int())
        .describe('The others, by the first reason that applies.')
        .meta({ examples: [{ no_consent: 3 }] }),
    }),
  })
  .meta({ id: 'MailCampaignChecks' });

export type CampaignChecks = z.output<typeof CampaignChecks>;

/** What the checks of a campaign found, and what they read for that. */
type Checked = {
  errors: FieldError[];
  counts: AudienceCounts;
  audience: Audience;
  sender: CampaignSender;
};

const NOBODY: AudienceCounts = { matched: 0, eligible: 0, skipped_by: {} };

/** Checks a campaign as it is now, without holding anything. Errors: `insufficient_scope` for fields of the CRM. */
export async function checksOf(
  reader: Reader,
  campaign: Campaign,
  service: MailServer & { base_url: string },
): Promise<CampaignChecks> {
  const { errors, counts, audience } = await check(reader, campaign, service, '');
  const told = errors.map(({ code, path, message }) => ({ code, path, message: message.en }));
  const { warnings } = await withWarnings(reader, campaign, service.base_url);
  const removed = errors.filter(({ code }) => code === 'unknown_reference').map(({ path }) => path);
  return {
    ok: errors.length === 0,
    errors: told,
    // What was removed is an error here.
    warnings: [
      ...warnings.filter(({ path }) => !removed.includes(path)),
      ...missingValueWarnings(counts, audience),
      ...serverWarnings(service),
    ],
    audience: counts,
  };
}

/**
 * Sees that a locked campaign can be sent, and holds its lists and its segment until the work commits. Errors: `checks_failed`
 * with one entry each, `mail_server_required`, `insufficient_scope`.
 */
export async function requireChecks(work: Work, campaign: Campaign, server: MailServer): Promise<Checked> {
  const checked = await check(work, campaign, server, 'FOR KEY SHARE');
  const { errors } = checked;
  if (errors.length === 0) return checked;
  const failed = errors.filter(({ code }) => code !== 'mail_server_required');
  if (failed.length === 0) throw new Failure('mail_server_required', { detail: errors[0]!.message });
  throw new Failure('checks_failed', { errors: failed.slice(0, MOST_FIELD_ERRORS) });
}

async function check(
  reader: Reader,
  campaign: Campaign,
  server: MailServer,
  lock: '' | 'FOR KEY SHARE',
): Promise<Checked> {
  const settings = await mailSettingsOf(reader);
  const sender = senderOf(campaign, settings);
  const { filter, faults } = await chosenAudience(reader, campaign, lock);
  const audience: Audience = {
    purpose: campaign.purpose,
    mail_order: sender.mail_order,
    list_ids: campaign.list_ids,
    exclude_list_ids: campaign.exclude_list_ids,
    filter,
    needed: mailNeeds({
      subject: campaign.subject ?? '',
      preheader: campaign.preheader,
      body_html: campaign.body_html,
      body_text: campaign.body_text,
      locale: campaign.locale,
      notice_url: sender.notice_url,
    }).needed,
  };
  const counts = faults.length > 0 ? NOBODY : await countAudience(reader, audience);
  const nobody = counts.eligible === 0 && faults.length === 0 ? [noRecipients()] : [];
  return {
    errors: [
      ...identityFaults(sender, settings),
      ...faults,
      ...nobody,
      ...contentFaults(campaign),
      ...tooManyForMailbox(counts.eligible, server),
    ],
    counts,
    audience,
    sender,
  };
}
