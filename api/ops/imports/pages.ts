import type Router from '@koa/router';
import { html } from 'ghtml';
import { EVERY_ORGANIZATION } from '../../../shared/db/database.ts';
import { type ImportStatus, importStatuses } from '../../../shared/platform/imports/record.ts';
import {
  type ImportFilters,
  type ImportState,
  importById,
  importFaults,
  importPage,
} from '../../../shared/platform/operators/imports.ts';
import type { ApiContext } from '../../context.ts';
import { fieldOf, pageNumber, queryOf } from '../form.ts';
import { ago, count } from '../format.ts';
import { sendPage } from '../page.ts';
import { badge, type Html, nothing, pager, section, type Tone, table } from '../parts.ts';
import { importDetail } from './detail.ts';
import { progressOf, speedOf } from './progress.ts';

const PER_PAGE = 50;
const FAULTS_PER_PAGE = 100;

const TONES: Record<ImportStatus, Tone> = {
  queued: 'calm',
  running: 'calm',
  paused: 'warn',
  completed: 'good',
  failed: 'bad',
  cancelled: 'warn',
  reverting: 'calm',
  reverted: 'warn',
};

/** The imports of all organizations: how each goes, and which rows were wrong; never what stands in them. */
export function importPages(router: Router, { database, now }: ApiContext): void {
  router.get('/ops/imports', async (context) => {
    const query = queryOf(context);
    const filters = filtersOf(query);
    const page = pageNumber(query);
    const window = { limit: PER_PAGE, offset: (page - 1) * PER_PAGE };
    const { rows, total } = await database.withConnection(EVERY_ORGANIZATION, (connection) =>
      importPage(connection, filters, window),
    );
    const pages = pager('/ops/imports', queryFrom(filters), { page, per_page: PER_PAGE, total });
    const list = rows.length === 0 ? nothing(emptyWords(filters)) : listOf(rows, now());
    const body = html`!${filterForm(filters)}
!${section(`Imports: ${count(total)}`, html`<div data-live="imports">!${list}</div>!${pages}`)}`;
    sendPage(context, { title: 'Imports', body, aside: '<span data-live-control></span>', live: true });
  });

  router.get('/ops/imports/:organization_id/:id', async (context) => {
    const { organization_id = '', id = '' } = context.params;
    const page = pageNumber(queryOf(context));
    const window = { limit: FAULTS_PER_PAGE, offset: (page - 1) * FAULTS_PER_PAGE };
    const [found, faults] = await database.withConnection(EVERY_ORGANIZATION, (connection) =>
      Promise.all([
        importById(connection, { organization_id, id }),
        importFaults(connection, { organization_id, id }, window),
      ]),
    );
    if (!found) return sendPage(context, { title: 'No such import', body: GONE, status: 404 });
    const pages = pager(context.path, new URLSearchParams(), {
      page,
      per_page: FAULTS_PER_PAGE,
      total: found.error_count,
    });
    const body = importDetail(found, faults, { now: now(), pages });
    const aside = html`!${badge(found.status, TONES[found.status])} <span data-live-control></span>`;
    const within = { path: '/ops/imports', label: 'Imports' };
    sendPage(context, { title: `Import of ${found.kind}`, body, aside, within, live: true });
  });
}

function emptyWords(filters: ImportFilters): string {
  return Object.values(filters).some((value) => value !== undefined)
    ? 'No import is found by the filter.'
    : 'No file has been imported yet. Each import shows here how far it is, how fast, and which rows were wrong.';
}

const GONE = html`<p>It was never there.</p>
<p><a href="/ops/imports">Back to the imports</a></p>`;

function filtersOf(query: URLSearchParams): ImportFilters {
  return {
    status: importStatuses.find((status) => status === query.get('status')),
    kind: fieldOf(query, 'kind'),
    organization_id: fieldOf(query, 'organization_id'),
  };
}

function queryFrom(filters: ImportFilters): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) query.set(name, value);
  return query;
}

function filterForm({ status, kind = '', organization_id = '' }: ImportFilters): Html {
  const options = importStatuses.map(
    (each) => html`<option!${each === status ? ' selected' : ''}>${each}</option>`,
  );
  return html`<form class="filters" method="get" action="/ops/imports" role="search" aria-label="Imports">
<label>State <select name="status"><option value="">All</option>!${options}</select></label>
<label>Kind <input name="kind" value="${kind}" spellcheck="false"></label>
<label>Organization <input name="organization_id" value="${organization_id}" placeholder="org_…" spellcheck="false"></label>
<button>Filter</button> <a href="/ops/imports">Clear</a>
</form>`;
}

function listOf(imports: readonly ImportState[], now: Date): Html {
  const rows = imports.map((each) => [
    html`<a href="/ops/imports/${each.organization_id}/${each.id}">${each.kind}</a>!${each.dry_run ? ' <span class="quiet">(trial)</span>' : ''}`,
    html`!${badge(each.status, TONES[each.status])}!${each.delivery_error ? html` <span class="quiet">last try: ${each.delivery_error}</span>` : ''}`,
    html`${each.organization_name ?? each.organization_id}`,
    progressOf(each),
    html`${speedOf(each)}`,
    count(each.created_count),
    count(each.updated_count),
    count(each.error_count),
    ago(each.created_at, now),
  ]);
  return table({
    caption: 'Imports, the newest first',
    columns: [
      { label: 'Import', kind: 'term' },
      { label: 'State' },
      { label: 'Organization', kind: 'name' },
      { label: 'Progress' },
      { label: 'Rows a second', kind: 'number' },
      { label: 'Created', kind: 'number' },
      { label: 'Updated', kind: 'number' },
      { label: 'Faulty', kind: 'number' },
      { label: 'Requested' },
    ],
    rows,
  });
}
