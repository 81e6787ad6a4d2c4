import { html } from 'ghtml';
import type { Text } from '../../../shared/kernel/language.ts';
import type { deliveryById } from '../../../shared/platform/outbox/deliveries.ts';
import { badge, type Fact, facts, type Html, section } from '../parts.ts';
import { reasonIn } from '../reasons.ts';
import type { Speech } from '../speech.ts';
import { jobStatusWords, jobWords, stateWords } from './words.ts';

type Shown = NonNullable<Awaited<ReturnType<typeof deliveryById>>>;

const PRIORITIES: Record<number, Text> = {
  1: { en: 'high', ja: '高' },
  2: { en: 'normal', ja: '中' },
  3: { en: 'low', ja: '低' },
};

const WHY_GIVEN_UP: Text = { en: 'Why it was given up', ja: '中止した理由' };
const WHY_FAILED: Text = { en: 'Why the last try failed', ja: '前回の失敗の理由' };

/** One delivery: what it is, where it stands, why it failed, and what can be done about it. */
export function jobDetail(speech: Speech, delivery: Shown): Html {
  const { state, error, payload } = delivery;
  const isFailed = state === 'failed';
  const why = html`<pre tabindex="0">!${reasonIn(speech, error)}</pre>!${isFailed ? choices(speech, delivery) : ''}`;
  return html`!${error === null ? '' : section(speech, isFailed ? WHY_GIVEN_UP : WHY_FAILED, why)}
!${section(speech, { en: 'How it went', ja: '経過' }, stateFacts(speech, delivery))}
!${section(
    speech,
    { en: 'What it is about', ja: '内容' },
    html`!${about(speech, delivery)}
<h3>${speech.say({ en: 'Payload', ja: 'データ' })}</h3>
<pre tabindex="0">${JSON.stringify(payload, null, 2)}</pre>`,
  )}`;
}

/** Where a delivery stands, in a word. */
export function stateBadge({ say }: Speech, { state }: Pick<Shown, 'state'>): Html {
  return badge(say(stateWords[state]), state === 'failed' ? 'bad' : state === 'later' ? 'warn' : 'calm');
}

function stateFacts(speech: Speech, delivery: Shown): Html {
  const { say, when } = speech;
  const { attempts, starts, created_at, due_at, handed_over_at, failed_at, priority, queue } = delivery;
  const known = PRIORITIES[priority];
  return facts(speech, [
    [jobWords.queue, html`<a href="/ops/queues/${queue}">${queue}</a>`],
    [{ en: 'Priority', ja: '優先度' }, known ? say(known) : String(priority)],
    [{ en: 'Failed tries', ja: '失敗回数' }, String(attempts)],
    [
      { en: 'Begun by a worker', ja: 'ワーカーの開始回数' },
      say({ en: starts === 1 ? 'once' : `${starts} times`, ja: `${starts}回` }),
    ],
    [{ en: 'Requested', ja: '依頼' }, when(created_at)],
    [{ en: 'Handed over', ja: '引き渡し' }, when(handed_over_at)],
    due_at ? [{ en: 'Due for the next try', ja: '次の試行' }, when(due_at)] : null,
    failed_at ? [{ en: 'Given up', ja: '中止' }, when(failed_at)] : null,
  ]);
}

function about(speech: Speech, delivery: Shown): Html {
  const { id, organization_id, organization_name, job_id, job_kind, job_status } = delivery;
  const name = organization_name === null ? '' : html`${organization_name} `;
  return facts(speech, [
    [{ en: 'Delivery', ja: '処理のID' }, html`<code>${id}</code>`],
    [jobWords.organization, html`!${name}<code>${organization_id}</code>`],
    importLink(delivery),
    job_id
      ? [
          { en: 'Job that waits for it', ja: '待っているジョブ' },
          html`<code>${job_id}</code> ${job_kind}${job_status === null ? '' : `, ${speech.say(jobStatusWords[job_status])}`}`,
        ]
      : null,
  ]);
}

/** An import has a page of its own, which tells more. */
function importLink({ organization_id, payload }: Shown): Fact {
  const { import_id } = (payload ?? {}) as { import_id?: unknown };
  if (typeof import_id !== 'string') return null;
  const link = html`<a href="/ops/imports/${organization_id}/${import_id}">${import_id}</a>`;
  return [{ en: 'Import', ja: 'インポート' }, link];
}

function choices({ say }: Speech, { id }: Shown): Html {
  const words = say({
    en: 'Retry has it tried again as often as at first. Discard removes it: what it was to do stays undone.',
    ja: '再実行すると、最初と同じ回数まで試みます。破棄すると削除され、処理は行われません。',
  });
  return html`<p>${words}</p>
<form method="post" action="/ops/jobs/confirm" class="actions">
<input type="hidden" name="chosen" value="${id}">
<button name="action" value="retry" class="main">${say(jobWords.retry)}</button>
<button name="action" value="discard" class="danger">${say(jobWords.discard)}</button>
</form>`;
}
