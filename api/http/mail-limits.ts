import type { MailLimits } from '../../shared/platform/mailer/mail-limits.ts';
import type { Settings } from '../../shared/platform/settings/settings.ts';

/** What the settings allow an organization to mail by hand, and campaigns. */
export function mailLimitsOf({
  mailRecipientsPerHour,
  mailRatePerSecond,
  signUp,
  smtpUrl,
}: Settings): MailLimits {
  return {
    recipients_per_hour: mailRecipientsPerHour,
    first_day: signUp === 'open' && smtpUrl !== undefined,
    campaigns_per_second: mailRatePerSecond === 0 ? null : mailRatePerSecond,
  };
}
