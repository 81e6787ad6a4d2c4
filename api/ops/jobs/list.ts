import { html } from 'ghtml';
import {
  type Delivery,
  type DeliveryFilters,
  type DeliveryState,
  deliveryStates,
} from '../../../shared/platform/outbox/deliveries.ts';
import { queueNames } from '../../../shared/platform/queues.ts';
import { fieldOf } from '../form.ts';
import { ago, count } from '../format.ts';
import { type Column, type Html, nothing, pager, section, table } from '../parts.ts';

export const PER_PAGE = 50;

export const stateWords: Record<DeliveryState, string> = {
  failed: 'Given up',
  running: 'Handed over',
  due: 'Due',
  later: 'Later',
};

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
  now: Date;
};

/** A list of deliveries in one state, with filters; those that were given up can be chosen. */
export function jobList(list: JobList): Html {
  return html`!${tabs(list.filters)}
!${filterForm(list)}
!${section(`${stateWords[list.filters.state]}: ${count(list.total)}`, listOf(list))}`;
}

function tabs(filters: DeliveryFilters): Html {
  const items = deliveryStates.map((state) => {
    const current = state === filters.state ? ' aria-current="page"' : '';
    return html`<li><a href="/ops/jobs?${queryFrom({ ...filters, state }).toString()}"!${current}>${stateWords[state]}</a></li>`;
  });
  return html`<ul class="tabs" aria-label="States">!${items}</ul>`;
}

function filterForm({ filters, names }: JobList): Html {
  const { state, queue, name, organization_id = '', error = '' } = filters;
  return html`<form class="filters" method="get" action="/ops/jobs" role="search" aria-label="Jobs">
<input type="hidden" name="state" value="${state}">
<label>Queue <select name="queue">!${options(queueNames, queue)}</select></label>
<label>Job <select name="name">!${options(names, name)}</select></label>
<label>Organization <input name="organization_id" value="${organization_id}" placeholder="org_…" spellcheck="false"></label>
<label>Reason has <input name="error" value="${error}"></label>
<button>Filter</button> <a href="/ops/jobs?state=${state}">Clear</a>
</form>`;
}

function options(values: readonly string[], chosen: string | undefined): Html {
  const items = values.map((value) => html`<option!${value === chosen ? ' selected' : ''}>${value}</option>`);
  return html`<option value="">All</option>!${items}`;
}

const EMPTY: Record<DeliveryState, string> = {
  failed: 'No job was given up. One that fails as often as it may stays here until you retry or discard it.',
  running: 'No job is in a queue or with a worker.',
  due: 'No job waits to be handed over.',
  later: 'No job waits for a later try.',
};

const CLEAR = '<p><a href="/ops/jobs">Clear the filter</a></p>';

function isFiltered({ queue, name, organization_id, error }: DeliveryFilters): boolean {
  return [queue, name, organization_id, error].some((value) => value !== undefined);
}

function emptyWords(filters: DeliveryFilters): string {
  return isFiltered(filters) ? 'No job in this state is found by the filter.' : EMPTY[filters.state];
}

function listOf(list: JobList): Html {
  const { filters, rows, total, page, now } = list;
  if (rows.length === 0) return html`!${nothing(emptyWords(filters))}!${isFiltered(filters) ? CLEAR : ''}`;
  const isFailed = filters.state === 'failed';
  const time = filters.state === 'failed' ? 'Given up' : filters.state === 'later' ? 'Next try' : 'Since';
  const columns: Column[] = [
    { label: 'Job', kind: 'term' },
    { label: 'Queue', kind: 'term' },
    { label: 'Organization', kind: 'name' },
    { label: 'Tries', kind: 'number' },
    { label: time },
    { label: 'Reason', kind: 'wide' },
  ];
  const cells = rows.map((row) => [
    html`<a href="/ops/jobs/${row.organization_id}/${row.id}">${row.name}</a>`,
    html`${row.queue}`,
    html`${row.organization_name ?? row.organization_id}`,
    html`${row.attempts}`,
    ago(TIMES[filters.state](row), now),
    html`${row.error ?? '–'}`,
  ]);
  const pages = pager('/ops/jobs', queryFrom(filters), { page, per_page: PER_PAGE, total });
  if (!isFailed) return html`!${table({ caption: 'Jobs', columns, rows: cells })}!${pages}`;
  const choices = cells.map((row, index) => [choice(rows[index]!), ...row]);
  const body = table({
    caption: 'Jobs that were given up',
    columns: [{ label: 'Choose', kind: 'select' }, ...columns],
    rows: choices,
  });
  const hidden = [...queryFrom(filters)].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form method="post" action="/ops/jobs/confirm">
!${hidden}
!${body}
<div class="actions sticky">
<button name="action" value="retry">Retry chosen…</button>
<button name="action" value="discard" class="danger">Discard chosen…</button>
<button name="action" value="retry_all">Retry all ${count(total)}…</button>
<button name="action" value="discard_all" class="danger">Discard all ${count(total)}…</button>
</div>
</form>
!${pages}`;
}

function choice({ id, name }: Delivery): Html {
  return html`<input type="checkbox" name="chosen" value="${id}" aria-label="Choose ${name} ${id}">`;
}
