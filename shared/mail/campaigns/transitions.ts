import type { FailureCode } from '../../kernel/failures.ts';
import { rulesOf } from '../../platform/transitions/rules.ts';
import type { Asking, Condition, Row, TransitionTable } from '../../platform/transitions/table.ts';
import { type CampaignAction, campaignActions, campaignStatuses } from './words.ts';

const kinds = {
  campaign: { title: { en: 'campaign', ja: 'キャンペーン' }, statuses: campaignStatuses },
} as const;

type Kinds = typeof kinds;

/** What decides what staff can do to a campaign. */
type Standing = { kind: 'campaign'; status: string; is_started: boolean };

const needs = {
  not_started: {
    text: { en: 'that has not begun', ja: 'まだ配信を開始していない' },
    code: 'invalid_transition',
    holds: ({ is_started }: Standing) => !is_started,
  },
} as const satisfies Record<string, Condition<Standing, Asking>>;

type Need = keyof typeof needs;

const WRITE = ['mail:write'] as const;

/** What leaves the house is approved. */
const SEND = ['mail:write', 'approvals:write'] as const;

const rows: readonly Row<Kinds, 'campaign', CampaignAction, Need, never>[] = [
  ['update', ['draft'], 'same', { en: 'everything', ja: 'すべてを変更できます' }],
  [
    'update',
    ['scheduled'],
    'same',
    {
      en: 'the checks; what recipients see, and who they are, needs `approvals:write` too',
      ja: '確認を行います。受信者に見えるものと宛先の変更には `approvals:write` も必要です',
    },
  ],
  [
    'update',
    ['sending', 'paused', 'sent', 'cancelled'],
    'same',
    {
      en: '`name`, `throttle`, `external_id` and `metadata`; `frozen` otherwise',
      ja: '`name`、`throttle`、`external_id`、`metadata` を変更します。ほかは `frozen` になります',
    },
  ],
  [
    'schedule',
    ['draft', 'scheduled'],
    'scheduled',
    {
      en: 'the checks; at `scheduled_at` they run again, and it is sent',
      ja: '確認を行います。`scheduled_at` にもう一度確認し、送信します',
    },
    { scopes: SEND },
  ],
  [
    'unschedule',
    ['scheduled'],
    'draft',
    { en: '`scheduled_at` is null again', ja: '`scheduled_at` を null に戻します' },
  ],
  [
    'send',
    ['draft', 'scheduled'],
    'sending',
    { en: 'the checks; a worker settles the recipients', ja: '確認を行い、ワーカーが宛先を確定します' },
    { scopes: SEND },
  ],
  [
    'pause',
    ['sending'],
    'paused',
    {
      en: 'within two seconds no mail begins any more; those at the server end',
      ja: '2秒以内に新しい送信を止めます。メールサーバーに渡したものは最後まで送ります',
    },
  ],
  [
    'resume',
    ['paused'],
    'sending',
    {
      en: 'the limit that paused it holds no more for it',
      ja: '一時停止の原因となった上限を、このキャンペーンには適用しなくなります',
    },
  ],
  [
    'cancel',
    ['scheduled', 'sending', 'paused'],
    'cancelled',
    {
      en: 'as `pause`; recipients still queued are skipped',
      ja: '`pause` と同じように止め、送信待ちの宛先を対象外にします',
    },
  ],
  [
    'resend_unknown',
    ['sent'],
    'sending',
    { en: 'its unknown recipients are queued', ja: '結果の分からない宛先を送信待ちに戻します' },
  ],
  [
    'resend_unknown',
    ['paused'],
    'paused',
    { en: 'its unknown recipients are queued', ja: '結果の分からない宛先を送信待ちに戻します' },
  ],
  [
    'accept_unknown',
    ['sending', 'paused', 'sent', 'cancelled'],
    'same',
    { en: 'its unknown recipients are `sent`', ja: '結果の分からない宛先を `sent` とみなします' },
  ],
  [
    'duplicate',
    campaignStatuses,
    'same',
    { en: 'a draft with the contents and the audience', ja: '内容と宛先を引き継いだ下書きを作成します' },
  ],
  ['delete', ['draft'], 'gone', { en: 'removed', ja: '削除します' }],
  ['delete', ['cancelled'], 'gone', { en: 'removed', ja: '削除します' }, { needs: ['not_started'] }],
];

/** The life of campaigns: from it follow what can be done, the refusals and the codes of the reference. */
export const campaignTransitions: TransitionTable<
  Kinds,
  CampaignAction,
  Need,
  never,
  Standing,
  Asking,
  never
> = {
  kinds,
  actions: campaignActions,
  needs,
  call_needs: {},
  rows: rows.map(([action, from, to, effect, more]) => {
    return { kind: 'campaign', action, from, to, scopes: WRITE, effect, ...more };
  }),
};

const rules = rulesOf(campaignTransitions);

/** What of a campaign its standing follows from. */
type Stood = { status: string; started_at: string | null };

/** What somebody can do to a campaign now. */
export function actionsFor(stored: Stood, asking: Asking): CampaignAction[] {
  return rules.available(standingOf(stored), asking);
}

/** Actions on unknown recipients, which a campaign may have none of. */
const ofUnknown: readonly CampaignAction[] = ['resend_unknown', 'accept_unknown'];

/** The same, where it is known how many recipients are `unknown`: nothing is offered that would do nothing. */
export function usefulActionsFor(stored: Stood, asking: Asking, unknown: number): CampaignAction[] {
  return actionsFor(stored, asking).filter((action) => unknown > 0 || !ofUnknown.includes(action));
}

/** Sees that staff may do that to a locked campaign. Errors: `invalid_transition`, `insufficient_scope`. */
export function requireAction(stored: Stood, action: CampaignAction, asking: Asking): void {
  rules.require(standingOf(stored), action, asking);
}

/** The codes with which the table refuses an action. */
export function refusalsOf(action: CampaignAction): FailureCode[] {
  return rules.codes('campaign', action);
}

function standingOf({ status, started_at }: Stood): Standing {
  return { kind: 'campaign', status, is_started: started_at !== null };
}
