import { html } from 'ghtml';
import type { deliveryById } from '../../../shared/platform/outbox/deliveries.ts';
import { when } from '../format.ts';
import { badge, facts, type Html, section } from '../parts.ts';
import { stateWords } from './list.ts';

type Shown = NonNullable<Awaited<ReturnType<typeof deliveryById>>>;

const PRIORITIES: Record<number, string> = { 1: 'high', 2: 'normal', 3: 'low' };

/** One delivery: what it is, where it stands, why it failed, and what can be done about it. */
export function jobDetail(delivery: Shown, now: Date): Html {
  const { state, error, payload } = delivery;
  const isFailed = state === 'failed';
  return html`!${error === null ? '' : section(isFailed ? 'Why it was given up' : 'Why the last try failed', html`<pre tabindex="0">${error}</pre>!${isFailed ? choices(delivery) : ''}`)}
!${section('How it went', stateFacts(delivery, now))}
!${section(
    'What it is about',
    html`!${about(delivery)}
<h3>Payload</h3>
<pre tabindex="0">${JSON.stringify(payload, null, 2)}</pre>`,
  )}`;
}

/** Where a delivery stands, in a word. */
export function stateBadge({ state }: Pick<Shown, 'state'>): Html {
  return badge(stateWords[state], state === 'failed' ? 'bad' : state === 'later' ? 'warn' : 'calm');
}

function stateFacts(delivery: Shown, now: Date): Html {
  const { attempts, starts, created_at, due_at, handed_over_at, failed_at, priority, queue } = delivery;
  return facts({
    Queue: html`<a href="/ops/queues/${queue}">${queue}</a>`,
    Priority: PRIORITIES[priority] ?? String(priority),
    'Failed tries': String(attempts),
    'Begun by a worker': starts === 1 ? 'once' : `${starts} times`,
    Requested: when(created_at, now),
    'Handed over': when(handed_over_at, now),
    ...(due_at && { 'Due for the next try': when(due_at, now) }),
    ...(failed_at && { 'Given up': when(failed_at, now) }),
  });
}

function about(delivery: Shown): Html {
  const { id, organization_id, organization_name, job_id, job_kind, job_status } = delivery;
  const name = organization_name === null ? '' : html`${organization_name} `;
  return facts({
    Delivery: html`<code>${id}</code>`,
    Organization: html`!${name}<code>${organization_id}</code>`,
    ...importLink(delivery),
    ...(job_id && { 'Job that waits for it': html`<code>${job_id}</code> ${job_kind}, ${job_status}` }),
  });
}

/** An import has a page of its own, which tells more. */
function importLink({ organization_id, payload }: Shown): Record<string, Html> {
  const { import_id } = (payload ?? {}) as { import_id?: unknown };
  if (typeof import_id !== 'string') return {};
  return { Import: html`<a href="/ops/imports/${organization_id}/${import_id}">${import_id}</a>` };
}

function choices({ id }: Shown): Html {
  return html`<p>Retry has it tried again as often as at first. Discard removes it: what it was to do stays undone.</p>
<form method="post" action="/ops/jobs/confirm" class="actions">
<input type="hidden" name="chosen" value="${id}">
<button name="action" value="retry" class="main">Retry…</button>
<button name="action" value="discard" class="danger">Discard…</button>
</form>`;
}
