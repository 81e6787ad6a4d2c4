import type { Text } from '../kernel/language.ts';
import { type Alarm, countOldest, type Measure, MOST_COUNTED } from '../platform/operators/measure.ts';
import { standstills, waitsForServer } from './campaigns/standing-still.ts';
import type { pauseReasons } from './campaigns/words.ts';

/** Why a campaign that is paused stands still, as the page calls it. */
const troubles: Readonly<
  Record<Exclude<(typeof pauseReasons)[number], 'checks_failed' | 'start_failed'>, Text>
> = {
  smtp_unavailable: standstills.smtp_unavailable.why,
  sender_refused: standstills.sender_refused.why,
  bounce_rate: { en: 'too many mails bounced', ja: '不達が多すぎます' },
  complaint_rate: { en: 'too many people complained', ja: '苦情が多すぎます' },
  sending_failed: standstills.sending_failed.why,
};

/** Those of them that who sends the campaign decides about: bounces and complaints are of their recipients. */
const OF_RECIPIENTS: ReadonlySet<string> = new Set(['bounce_rate', 'complaint_rate']);

const NAMED: Text = {
  en: 'Which, and what to do, stands further down.',
  ja: '対象と対応は、このページの下に表示されています。',
};

/** What operators are told of campaigns of which something is wrong with the service. */
function alarm(
  tone: Alarm['tone'],
  { one, many, ja }: { one: string; many: string; ja: string },
  next: Text,
): Alarm {
  return {
    tone,
    title: (value) => {
      const shown = value.toLocaleString('en-US');
      return {
        en: value === 1 ? `A mail campaign ${one}` : `${shown} mail campaigns ${many}`,
        ja: `メールキャンペーン${shown}件${ja}`,
      };
    },
    sentence: { en: `${next.en} ${NAMED.en}`, ja: `${next.ja}${NAMED.ja}` },
    path: '/ops#campaigns-that-stand-still',
  };
}

/** What operators see of campaigns; never whose they are, and no address. */
export const mailMeasures: readonly Measure[] = [
  {
    name: 'mail_campaigns_sending',
    title: { en: 'Campaigns under way', ja: '送信中のキャンペーン' },
    help: 'Campaigns whose mails are being sent',
    unit: 'count',
    age: { en: 'its start', ja: '開始から' },
    query: countOldest('mail_campaigns', "status = 'sending'", 'started_at'),
  },
  {
    name: 'mail_sent_this_hour',
    title: { en: 'Mails of campaigns this hour', ja: 'この1時間のキャンペーンのメール' },
    help: 'Mails of campaigns that were sent since the hour began',
    unit: 'count',
    query: `SELECT coalesce(sum(sent), 0)::int AS value FROM (
      SELECT sent FROM mail_campaign_hours WHERE hour = date_trunc('hour', now()) LIMIT ${MOST_COUNTED}) AS counted`,
  },
  {
    name: 'mail_sent_last_minute',
    title: { en: 'Mails of campaigns in a minute', ja: '1分間のキャンペーンのメール' },
    help: 'Mails of campaigns that were sent in the last minute',
    unit: 'count',
    query: `SELECT coalesce(sum(count) FILTER (WHERE span = 'minute'), 0)::int AS value FROM (
      SELECT span, count FROM mail_send_spans
       WHERE until > (extract(epoch FROM now() - interval '1 minute') * 1000000)::bigint
       ORDER BY until LIMIT ${MOST_COUNTED}) AS counted`,
  },
  {
    name: 'mail_domains_slowed',
    title: { en: 'Domains that asked for fewer mails in an hour', ja: '1時間に送信の抑制を求めたドメイン' },
    help: 'Receiving domains whose mail servers asked for fewer mails in the last hour',
    unit: 'count',
    age: { en: 'its last request', ja: '最後の依頼から' },
    query: countOldest('mail_domain_speeds', "changed_at > now() - interval '1 hour'", 'changed_at'),
  },
  {
    name: 'mail_campaigns_paused',
    title: { en: 'Campaigns paused by hand', ja: '手動で一時停止したキャンペーン' },
    help: 'Campaigns that somebody has paused',
    unit: 'count',
    age: { en: 'its last change', ja: '最後の更新から' },
    query: countOldest('mail_campaigns', "status = 'paused' AND pause_reason IS NULL", 'updated_at'),
  },
  ...Object.entries(troubles).map(
    ([reason, words]): Measure => ({
      name: `mail_campaigns_paused_${reason}`,
      title: { en: `Campaigns that paused: ${words.en}`, ja: `自動で一時停止したキャンペーン：${words.ja}` },
      help: `Campaigns that paused by themselves because ${words.en}`,
      unit: 'count',
      age: { en: 'its last change', ja: '最後の更新から' },
      query: countOldest('mail_campaigns', `status = 'paused' AND pause_reason = '${reason}'`, 'updated_at'),
      ...(!OF_RECIPIENTS.has(reason) && {
        alarm: alarm(
          'bad',
          {
            one: `stands still: ${words.en}`,
            many: `stand still: ${words.en}`,
            ja: `が停止しています：${words.ja}`,
          },
          {
            en: 'The mails wait until somebody resumes it.',
            ja: '再開の操作が行われるまで、メールは送られません。',
          },
        ),
      }),
    }),
  ),
  {
    name: 'mail_campaigns_start_failed',
    title: {
      en: 'Campaigns that could not begin at their time',
      ja: '予定の時刻に開始できなかったキャンペーン',
    },
    help: 'Scheduled campaigns that are drafts again because the service could not begin them',
    unit: 'count',
    age: { en: 'its last change', ja: '最後の更新から' },
    query: countOldest('mail_campaigns', "status = 'draft' AND pause_reason = 'start_failed'", 'updated_at'),
    alarm: alarm(
      'bad',
      {
        one: 'could not begin at its time',
        many: 'could not begin at their time',
        ja: 'を予定の時刻に開始できませんでした',
      },
      {
        en: 'It is a draft again, and waits until somebody schedules or sends it.',
        ja: '下書きに戻っており、予約または送信の操作を待っています。',
      },
    ),
  },
  {
    name: 'mail_campaigns_unreachable',
    title: { en: 'Campaigns that wait for the mail server', ja: 'メールサーバーを待っているキャンペーン' },
    help: 'Campaigns whose mail server could not be reached for a minute; they pause after ten',
    unit: 'count',
    age: { en: 'its first failed try', ja: '最初の失敗から' },
    query: countOldest('mail_campaigns', waitsForServer('now()'), 'unreachable_since'),
    alarm: alarm(
      'warn',
      {
        one: 'waits for the mail server',
        many: 'wait for the mail server',
        ja: 'がメールサーバーを待っています',
      },
      {
        en: 'It cannot be reached; after ten minutes the campaign pauses.',
        ja: '接続できません。10分続くとキャンペーンは一時停止します。',
      },
    ),
  },
  {
    name: 'mail_recipients_unknown',
    title: { en: 'Mails whose outcome is unknown', ja: '結果の分からないメール' },
    help: 'Recipients of campaigns of whom nobody knows whether the mail server took their mail; none is sent again by itself',
    unit: 'count',
    age: { en: 'it became unknown', ja: '不明になってから' },
    query: countOldest('mail_campaign_recipients', "status = 'unknown'", 'updated_at'),
  },
];
