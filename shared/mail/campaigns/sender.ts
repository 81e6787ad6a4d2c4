import type { Reader } from '../../kernel/reader.ts';
import type { CampaignMail } from '../content/compiled.ts';
import { mailSettingsOf } from '../settings/queries.ts';
import type { MailSettings } from '../settings/record.ts';
import type { Campaign } from './record.ts';

/** What of the settings the mails of a campaign tell, as it is kept from its start on. */
export type KeptSender = Pick<
  CampaignMail,
  'sender_name' | 'sender_address' | 'sender_contact' | 'notice_url' | 'bounce_address'
>;

/** Who sends a campaign. `from_email` is null where neither the campaign nor the settings have one. */
export type CampaignSender = KeptSender & {
  from_name: string | null;
  from_email: string | null;
  reply_to: string | null;
  mail_order: boolean;
};

/** A campaign as its mails are made from it; `from_email` may be missing before its start. */
export type DraftMail = Omit<CampaignMail, 'from_email'> & Pick<CampaignSender, 'from_email' | 'mail_order'>;

/** Who sends a campaign that has not begun: its own fields, else those of the settings. */
export function senderOf(
  campaign: Pick<Campaign, 'from_name' | 'from_email' | 'reply_to' | 'mail_order'>,
  settings: MailSettings,
): CampaignSender {
  const mail_order = campaign.mail_order ?? settings.mail_order;
  const { sender_name, sender_address, sender_contact, bounce_address } = settings;
  return {
    from_name: campaign.from_name ?? settings.default_from_name,
    from_email: campaign.from_email ?? settings.default_from_email,
    reply_to: campaign.reply_to ?? settings.default_reply_to,
    mail_order,
    sender_name,
    sender_address,
    sender_contact,
    bounce_address,
    notice_url: mail_order ? settings.mail_order_notice_url : null,
  };
}

/** A campaign as its mails are made from it: as it was when it began, or by the settings of now. */
export async function campaignMail(reader: Reader, campaign: Campaign): Promise<DraftMail> {
  const [row] = await reader.connection.query<{ number: string; sender: KeptSender | null }>(
    'SELECT number, sender FROM mail_campaigns WHERE organization_id = $1 AND id = $2',
    [reader.organization_id, campaign.id],
  );
  const { number, sender: kept } = row!;
  const { from_name, from_email, reply_to, mail_order } = campaign;
  const sender: CampaignSender = kept
    ? { ...kept, from_name, from_email, reply_to, mail_order: mail_order ?? false }
    : senderOf(campaign, await mailSettingsOf(reader));
  const { subject, preheader, body_html, body_text, locale, track_opens, track_clicks } = campaign;
  return {
    ...sender,
    subject: subject ?? '',
    preheader,
    body_html,
    body_text,
    locale,
    track_opens,
    track_clicks,
    number: Number(number),
  };
}
