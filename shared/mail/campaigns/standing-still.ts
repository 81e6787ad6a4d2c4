import type { Standing, StandingRecord } from '../../platform/operators/standing.ts';
import type { PauseReason } from './words.ts';

/** What of the service, or of what it uses, keeps a campaign from going on; `unreachable`: it waits for its mail server. */
export type Standstill =
  | Extract<PauseReason, 'smtp_unavailable' | 'sender_refused' | 'sending_failed' | 'start_failed'>
  | 'unreachable';

const JOBS = {
  en: 'The job that was given up has the error',
  ja: '原因は、中止したジョブに表示されています',
};
const GIVEN_UP = '/ops/jobs?state=failed';

/** What operators are told of each, and what to do about it. */
export const standstills: Readonly<Record<Standstill, Standing['reasons'][string]>> = {
  smtp_unavailable: {
    why: { en: 'the mail server cannot be used', ja: 'メールサーバーが使えません' },
    what_to_do: {
      en: 'npm run doctor signs in with SMTP_URL and says what to look at. Once that works, its people resume it.',
      ja: 'npm run doctor を実行すると、SMTP_URL への接続を試し、確認すべき点を表示します。復旧後、組織の担当者が再開します。',
    },
  },
  sender_refused: {
    why: { en: 'the mail server refuses the sender', ja: 'メールサーバーが送信者を拒否しています' },
    what_to_do: {
      en: 'The smtp_response of its recipients has the words of the mail server. Let it send from its address, or have its people change that; then they resume it.',
      ja: '宛先の smtp_response に、メールサーバーの応答が残っています。この送信元からの送信を許可するか、送信元を変更してもらい、組織の担当者が再開します。',
    },
  },
  sending_failed: {
    why: {
      en: 'the service could not go on with them',
      ja: 'サービスの不具合で配信を続けられません',
    },
    what_to_do: {
      en: `${JOBS.en}: mend it and retry the job, which resumes the campaign.`,
      ja: `${JOBS.ja}。解消してジョブを再実行すると、キャンペーンも再開します。`,
    },
    path: GIVEN_UP,
  },
  start_failed: {
    why: { en: 'it could not begin at its time', ja: '予定の時刻に開始できませんでした' },
    what_to_do: {
      en: `${JOBS.en}: mend it. It is a draft again: its people schedule or send it.`,
      ja: `${JOBS.ja}。解消してください。下書きに戻っているため、組織の担当者が予約または送信します。`,
    },
    path: GIVEN_UP,
  },
  unreachable: {
    why: { en: 'it waits for the mail server', ja: 'メールサーバーを待っています' },
    what_to_do: {
      en: 'It goes on by itself when the mail server answers, and pauses after ten minutes. npm run doctor says what to look at.',
      ja: 'メールサーバーが応答すると自動で再開し、10分続くと一時停止します。npm run doctor で、確認すべき点を表示できます。',
    },
  },
};

/** SQL of a campaign that has waited for its mail server for longer than a moment; `now`: SQL of the time. */
export const waitsForServer = (now: string) =>
  `status = 'sending' AND unreachable_since < ${now} - interval '1 minute'`;

type Found = { reason: Standstill; condition: string; since: string };

const paused = (reason: Standstill): Found => {
  return { reason, condition: `status = 'paused' AND pause_reason = '${reason}'`, since: 'updated_at' };
};

/** Each by its own index, the oldest first. */
const FOUND: readonly Found[] = [
  paused('smtp_unavailable'),
  paused('sender_refused'),
  paused('sending_failed'),
  {
    reason: 'start_failed',
    condition: "status = 'draft' AND pause_reason = 'start_failed'",
    since: 'updated_at',
  },
  { reason: 'unreachable', condition: waitsForServer('$2::timestamptz'), since: 'unreachable_since' },
];

/** The campaigns that stand still by a trouble of the service. */
export const campaignsStanding: Standing = {
  title: { en: 'Campaigns that stand still', ja: '停止しているキャンペーン' },
  one: { en: 'Campaign', ja: 'キャンペーン' },
  reasons: standstills,
  find: (connection, { now, limit }) => {
    const each = FOUND.map(
      ({ reason, condition, since }) =>
        `(SELECT id, organization_id, '${reason}' AS reason, ${since} AS since FROM mail_campaigns
           WHERE ${condition} ORDER BY ${since} LIMIT $1)`,
    );
    return connection.query<StandingRecord>(
      `SELECT id, organization_id, reason, since FROM (${each.join(' UNION ALL ')}) AS standing
        ORDER BY since, id LIMIT $1`,
      [limit, now.toISOString()],
    );
  },
};
