import { countOldest, type Measure, MOST_COUNTED } from '../platform/operators/measure.ts';
import type { pauseReasons } from './campaigns/words.ts';

/** Why a campaign that is paused stands still, as the page calls it. */
const troubles: Readonly<
  Record<Exclude<(typeof pauseReasons)[number], 'checks_failed' | 'start_failed'>, string>
> = {
  smtp_unavailable: 'the mail server cannot be used',
  sender_refused: 'the mail server refuses the sender',
  bounce_rate: 'too many mails bounced',
  complaint_rate: 'too many people complained',
  sending_failed: 'the service could not go on with them',
};

/** What operators see of campaigns; never whose they are, and no address. */
export const mailMeasures: readonly Measure[] = [
  {
    name: 'mail_campaigns_sending',
    title: 'Campaigns under way',
    help: 'Campaigns whose mails are being sent',
    unit: 'count',
    age: 'its start',
    query: countOldest('mail_campaigns', "status = 'sending'", 'started_at'),
  },
  {
    name: 'mail_sent_this_hour',
    title: 'Mails of campaigns this hour',
    help: 'Mails of campaigns that were sent since the hour began',
    unit: 'count',
    query: `SELECT coalesce(sum(sent), 0)::int AS value FROM (
      SELECT sent FROM mail_campaign_hours WHERE hour = date_trunc('hour', now()) LIMIT ${MOST_COUNTED}) AS counted`,
  },
  {
    name: 'mail_sent_last_minute',
    title: 'Mails of campaigns in a minute',
    help: 'Mails of campaigns that were sent in the last minute',
    unit: 'count',
    query: `SELECT coalesce(sum(count) FILTER (WHERE span = 'minute'), 0)::int AS value FROM (
      SELECT span, count FROM mail_send_spans
       WHERE until > (extract(epoch FROM now() - interval '1 minute') * 1000000)::bigint
       ORDER BY until LIMIT ${MOST_COUNTED}) AS counted`,
  },
  {
    name: 'mail_domains_slowed',
    title: 'Domains that asked for fewer mails in an hour',
    help: 'Receiving domains whose mail servers asked for fewer mails in the last hour',
    unit: 'count',
    age: 'its last request',
    query: countOldest('mail_domain_speeds', "changed_at > now() - interval '1 hour'", 'changed_at'),
  },
  {
    name: 'mail_campaigns_paused',
    title: 'Campaigns paused by hand',
    help: 'Campaigns that somebody has paused',
    unit: 'count',
    age: 'its last change',
    query: countOldest('mail_campaigns', "status = 'paused' AND pause_reason IS NULL", 'updated_at'),
  },
  ...Object.entries(troubles).map(
    ([reason, words]): Measure => ({
      name: `mail_campaigns_paused_${reason}`,
      title: `Campaigns that paused: ${words}`,
      help: `Campaigns that paused by themselves because ${words}`,
      unit: 'count',
      age: 'its last change',
      query: countOldest('mail_campaigns', `status = 'paused' AND pause_reason = '${reason}'`, 'updated_at'),
    }),
  ),
  {
    name: 'mail_recipients_unknown',
    title: 'Mails whose outcome is unknown',
    help: 'Recipients of campaigns of whom nobody knows whether the mail server took their mail; none is sent again by itself',
    unit: 'count',
    age: 'it became unknown',
    query: countOldest('mail_campaign_recipients', "status = 'unknown'", 'updated_at'),
  },
];
