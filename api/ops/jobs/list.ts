import { html } from 'ghtml';
import type { Text } from '../../../shared/kernel/language.ts';
import {
  type Delivery,
  type DeliveryFilters,
  type DeliveryState,
  deliveryStates,
} from '../../../shared/platform/outbox/deliveries.ts';
import { queueNames } from '../../../shared/platform/queues.ts';
import { fieldOf } from '../form.ts';
import { type Column, type Html, nothing, pager, section, table } from '../parts.ts';
import { reasonIn } from '../reasons.ts';
import { count, type Speech } from '../speech.ts';
import { jobWords, stateWords } from './words.ts';

export const PER_PAGE = 50;

/** What a list in each state shows last: the time that matters there. */
const TIMES: Record<DeliveryState, (delivery: Delivery) => string | null> = {
  failed: ({ failed_at }) => failed_at,
  running: ({ handed_over_at }) => handed_over_at,
  due: ({ due_at, created_at }) => due_at ?? created_at,
  later: ({ due_at, created_at }) => due_at ?? created_at,
};

/** The filters that a query or form names; what is not known is left out. */
export function filtersOf(fields: URLSearchParams): DeliveryFilters {
  return {
    state: deliveryStates.find((state) => state === fields.get('state')) ?? 'failed',
    queue: fieldOf(fields, 'queue'),
    name: fieldOf(fields, 'name'),
    organization_id: fieldOf(fields, 'organization_id'),
    error: fieldOf(fields, 'error'),
  };
}

/** The filters as a query, without those that say nothing. */
export function queryFrom(filters: DeliveryFilters): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) query.set(name, value);
  return query;
}

export type JobList = {
  filters: DeliveryFilters;
  rows: readonly Delivery[];
  total: number;
  page: number;
  /** The names to choose among. */
  names: readonly string[];
};

/** A list of deliveries in one state, with filters; those that were given up can be chosen. */
export function jobList(speech: Speech, list: JobList): Html {
  const state = stateWords[list.filters.state];
  const total = count(list.total);
  const title = { en: `${state.en}: ${total}`, ja: `${state.ja}：${total}件` };
  return html`!${tabs(speech, list.filters)}
!${filterForm(speech, list)}
!${section(speech, title, listOf(speech, list))}`;
}

function tabs({ say }: Speech, filters: DeliveryFilters): Html {
  const items = deliveryStates.map((state) => {
    const current = state === filters.state ? ' aria-current="page"' : '';
    return html`<li><a href="/ops/jobs?${queryFrom({ ...filters, state }).toString()}"!${current}>${say(stateWords[state])}</a></li>`;
  });
  return html`<ul class="tabs" aria-label="${say({ en: 'States', ja: '状態' })}">!${items}</ul>`;
}

function filterForm({ say }: Speech, { filters, names }: JobList): Html {
  const { state, queue, name, organization_id = '', error = '' } = filters;
  const all = say(jobWords.all);
  return html`<form class="filters" method="get" action="/ops/jobs" role="search" aria-label="${say({ en: 'Jobs', ja: 'ジョブ' })}">
<input type="hidden" name="state" value="${state}">
<label>${say(jobWords.queue)} <select name="queue">!${options(queueNames, queue, all)}</select></label>
<label>${say(jobWords.job)} <select name="name">!${options(names, name, all)}</select></label>
<label>${say(jobWords.organization)} <input name="organization_id" value="${organization_id}" placeholder="org_…" spellcheck="false"></label>
<label>${say({ en: 'Reason has', ja: '理由に含む' })} <input name="error" value="${error}"></label>
<button>${say(jobWords.filter)}</button> <a href="/ops/jobs?state=${state}">${say(jobWords.clear)}</a>
</form>`;
}

function options(values: readonly string[], chosen: string | undefined, all: string): Html {
  const items = values.map((value) => html`<option!${value === chosen ? ' selected' : ''}>${value}</option>`);
  return html`<option value="">${all}</option>!${items}`;
}

const EMPTY: Record<DeliveryState, Text> = {
  failed: {
    en: 'No job was given up. One that fails as often as it may stays here until you retry or discard it.',
    ja: '中止したジョブはありません。失敗が続いたジョブは、再実行または破棄するまでここに残ります。',
  },
  running: {
    en: 'No job is in a queue or with a worker.',
    ja: 'キューまたはワーカーにあるジョブはありません。',
  },
  due: { en: 'No job waits to be handed over.', ja: '引き渡しを待つジョブはありません。' },
  later: { en: 'No job waits for a later try.', ja: '再試行を待つジョブはありません。' },
};

const NOT_FOUND: Text = {
  en: 'No job in this state is found by the filter.',
  ja: '条件に合うジョブはありません。',
};

function isFiltered({ queue, name, organization_id, error }: DeliveryFilters): boolean {
  return [queue, name, organization_id, error].some((value) => value !== undefined);
}

function emptyList(speech: Speech, filters: DeliveryFilters): Html {
  if (!isFiltered(filters)) return nothing(speech, EMPTY[filters.state]);
  const clear = speech.say({ en: 'Clear the filter', ja: '条件を消す' });
  return html`!${nothing(speech, NOT_FOUND)}<p><a href="/ops/jobs">${clear}</a></p>`;
}

/** What the time in the list is, by the state. */
function timeOf(state: DeliveryState): Text {
  if (state === 'failed') return stateWords.failed;
  return state === 'later' ? { en: 'Next try', ja: '次の試行' } : { en: 'Since', ja: '開始' };
}

function listOf(speech: Speech, list: JobList): Html {
  const { filters, rows, total, page } = list;
  if (rows.length === 0) return emptyList(speech, filters);
  const columns: Column[] = [
    { label: jobWords.job, kind: 'term' },
    { label: jobWords.queue, kind: 'term' },
    { label: jobWords.organization, kind: 'name' },
    { label: { en: 'Tries', ja: '試行' }, kind: 'number' },
    { label: timeOf(filters.state) },
    { label: jobWords.reason, kind: 'wide' },
  ];
  const cells = rows.map((row) => [
    html`<a href="/ops/jobs/${row.organization_id}/${row.id}">${row.name}</a>`,
    html`${row.queue}`,
    html`${row.organization_name ?? row.organization_id}`,
    html`${row.attempts}`,
    speech.ago(TIMES[filters.state](row)),
    reasonIn(speech, row.error),
  ]);
  const pages = pager(speech, '/ops/jobs', queryFrom(filters), { page, per_page: PER_PAGE, total });
  if (filters.state !== 'failed') {
    return html`!${table(speech, { caption: { en: 'Jobs', ja: 'ジョブ' }, columns, rows: cells })}!${pages}`;
  }
  return html`!${choiceOf(speech, list, { columns, cells })}
!${pages}`;
}

/** The list as a form: jobs that were given up can be chosen. */
function choiceOf(
  speech: Speech,
  { filters, rows, total }: JobList,
  { columns, cells }: { columns: readonly Column[]; cells: readonly Html[][] },
): Html {
  const { say } = speech;
  const choose: Text = { en: 'Choose', ja: '選択' };
  const body = table(speech, {
    caption: { en: 'Jobs that were given up', ja: '中止したジョブ' },
    columns: [{ label: choose, kind: 'select' }, ...columns],
    rows: cells.map((row, index) => {
      const { id, name } = rows[index]!;
      const label = `${say(choose)} ${name} ${id}`;
      return [html`<input type="checkbox" name="chosen" value="${id}" aria-label="${label}">`, ...row];
    }),
  });
  const hidden = [...queryFrom(filters)].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const all = count(total);
  return html`<form method="post" action="/ops/jobs/confirm">
!${hidden}
!${body}
<div class="actions sticky">
<button name="action" value="retry">${say({ en: 'Retry chosen…', ja: '選択したものを再実行…' })}</button>
<button name="action" value="discard" class="danger">${say({ en: 'Discard chosen…', ja: '選択したものを破棄…' })}</button>
<button name="action" value="retry_all">${say({ en: `Retry all ${all}…`, ja: `${all}件すべて再実行…` })}</button>
<button name="action" value="discard_all" class="danger">${say({ en: `Discard all ${all}…`, ja: `${all}件すべて破棄…` })}</button>
</div>
</form>`;
}
