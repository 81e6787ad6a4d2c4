import type { Reader } from '../../kernel/reader.ts';
import { previewTo } from '../campaigns/mail.ts';
import { senderOf } from '../campaigns/sender.ts';
import type { MailPreview } from '../content/preview.ts';
import { mailSettingsOf } from '../settings/queries.ts';
import { templateById } from './queries.ts';

/** What a campaign says that follows the settings, in the language that campaigns have unless they say otherwise. */
const OF_NO_CAMPAIGN = {
  from_name: null,
  from_email: null,
  reply_to: null,
  mail_order: null,
} as const;

/**
 * A mail as a campaign made from a template would send it now, by the settings. There is no campaign, so the tokens in it open
 * nothing. Errors: `not_found`, `unknown_reference` at /contact_id.
 */
export async function previewTemplate(
  reader: Reader,
  template_id: string,
  to: { contact_id: string | null; base_url: string },
): Promise<MailPreview> {
  const { subject, preheader, body_html, body_text } = await templateById(reader, template_id);
  const sender = senderOf(OF_NO_CAMPAIGN, await mailSettingsOf(reader));
  const mail = {
    ...sender,
    subject: subject ?? '',
    preheader,
    body_html,
    body_text,
    locale: 'ja' as const,
    track_opens: false,
    track_clicks: false,
    number: 0,
  };
  return previewTo(reader, mail, to);
}
