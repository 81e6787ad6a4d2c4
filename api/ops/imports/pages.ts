import type Router from '@koa/router';
import { html } from 'ghtml';
import type { Context } from 'koa';
import { EVERY_ORGANIZATION } from '../../../shared/db/database.ts';
import type { Text } from '../../../shared/kernel/language.ts';
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
import { jobWords } from '../jobs/words.ts';
import { places, sendPage, speechOf } from '../page.ts';
import { badge, type Html, nothing, pager, section, type Tone, table } from '../parts.ts';
import { reasonIn } from '../reasons.ts';
import { count, type Speech } from '../speech.ts';
import { importDetail } from './detail.ts';
import { progressOf, speedOf } from './progress.ts';
import { importTitles, whatImport } from './words.ts';

const PER_PAGE = 50;
const FAULTS_PER_PAGE = 100;

const STATUSES: Record<ImportStatus, { tone: Tone; word: Text }> = {
  queued: { tone: 'calm', word: { en: 'queued', ja: '順番待ち' } },
  running: { tone: 'calm', word: { en: 'running', ja: '実行中' } },
  paused: { tone: 'warn', word: { en: 'paused', ja: '一時停止' } },
  completed: { tone: 'good', word: { en: 'completed', ja: '完了' } },
  failed: { tone: 'bad', word: { en: 'failed', ja: '失敗' } },
  cancelled: { tone: 'warn', word: { en: 'cancelled', ja: '中止' } },
  reverting: { tone: 'calm', word: { en: 'reverting', ja: '取り消し中' } },
  reverted: { tone: 'warn', word: { en: 'reverted', ja: '取り消し済み' } },
};

function statusBadge({ say }: Speech, status: ImportStatus): Html {
  const { tone, word } = STATUSES[status];
  return badge(say(word), tone);
}

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
    const speech = speechOf(context, now());
    const pages = pager(speech, '/ops/imports', queryFrom(filters), { page, per_page: PER_PAGE, total });
    const list = rows.length === 0 ? nothing(speech, emptyWords(filters)) : listOf(speech, rows);
    const shown = count(total);
    const title = { en: `Imports: ${shown}`, ja: `インポート：${shown}件` };
    const body = html`!${filterForm(speech, filters)}
!${section(speech, title, html`<div data-live="imports">!${list}</div>!${pages}`)}`;
    sendPage(context, { title: speech.say(places.imports.label), body, live: true });
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
    const speech = speechOf(context, now());
    if (!found) return sendGone(context, speech);
    const pages = pager(speech, context.path, new URLSearchParams(), {
      page,
      per_page: FAULTS_PER_PAGE,
      total: found.error_count,
    });
    const body = importDetail(speech, found, { ...faults, pages });
    const aside = statusBadge(speech, found.status);
    const title = speech.say({
      en: `Import: ${whatImport(speech, found.kind)}`,
      ja: `インポート：${whatImport(speech, found.kind)}`,
    });
    sendPage(context, { title, body, aside, within: places.imports, live: true });
  });
}

function emptyWords(filters: ImportFilters): Text {
  return Object.values(filters).some((value) => value !== undefined)
    ? { en: 'No import is found by the filter.', ja: '条件に合うインポートはありません。' }
    : {
        en: 'No file has been imported yet. Each import shows here how far it is, how fast, and which rows were wrong.',
        ja: 'まだファイルは取り込まれていません。取り込みの進み具合、速さ、誤りのあった行がここに表示されます。',
      };
}

function sendGone(context: Context, { say }: Speech): void {
  const body = html`<p>${say({ en: 'It was never there.', ja: 'そのインポートはありません。' })}</p>
<p><a href="/ops/imports">${say({ en: 'Back to the imports', ja: 'インポートの一覧へ戻る' })}</a></p>`;
  const title = say({ en: 'No such import', ja: 'インポートが見つかりません' });
  sendPage(context, { title, body, status: 404 });
}

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

function filterForm({ say }: Speech, { status, kind = '', organization_id = '' }: ImportFilters): Html {
  const options = importStatuses.map(
    (each) =>
      html`<option value="${each}"!${each === status ? ' selected' : ''}>${say(STATUSES[each].word)}</option>`,
  );
  const kinds = [...importTitles].map(
    ([each, title]) =>
      html`<option value="${each}"!${each === kind ? ' selected' : ''}>${say(title)}</option>`,
  );
  return html`<form class="filters" method="get" action="/ops/imports" role="search" aria-label="${say(places.imports.label)}">
<label>${say(STATE)} <select name="status"><option value="">${say(jobWords.all)}</option>!${options}</select></label>
<label>${say({ en: 'Kind', ja: '種類' })} <select name="kind"><option value="">${say(jobWords.all)}</option>!${kinds}</select></label>
<label>${say(jobWords.organization)} <input name="organization_id" value="${organization_id}" placeholder="org_…" spellcheck="false"></label>
<button>${say(jobWords.filter)}</button> <a href="/ops/imports">${say(jobWords.clear)}</a>
</form>`;
}

const STATE: Text = { en: 'State', ja: '状態' };

function listOf(speech: Speech, imports: readonly ImportState[]): Html {
  const { say, ago } = speech;
  const trial = html` <span class="quiet">${say({ en: '(trial)', ja: '（試行）' })}</span>`;
  const lastTry = (error: string) =>
    html` <span class="quiet">${say({ en: 'last try: ', ja: '前回：' })}!${reasonIn(speech, error)}</span>`;
  const rows = imports.map((each) => [
    html`<a href="/ops/imports/${each.organization_id}/${each.id}">${whatImport(speech, each.kind)}</a>!${each.dry_run ? trial : ''} <span class="under">${each.kind}</span>`,
    html`!${statusBadge(speech, each.status)}!${each.delivery_error ? lastTry(each.delivery_error) : ''}`,
    html`${each.organization_name ?? each.organization_id}`,
    progressOf(speech, each),
    html`${speedOf(each)}`,
    count(each.created_count),
    count(each.updated_count),
    count(each.error_count),
    ago(each.created_at),
  ]);
  return table(speech, {
    caption: { en: 'Imports, the newest first', ja: '新しい順のインポート' },
    columns: [
      { label: { en: 'Import', ja: 'インポート' }, kind: 'term' },
      { label: STATE },
      { label: jobWords.organization, kind: 'name' },
      { label: { en: 'Progress', ja: '進み具合' } },
      { label: { en: 'Rows a second', ja: '毎秒の行数' }, kind: 'number' },
      { label: { en: 'Created', ja: '登録' }, kind: 'number' },
      { label: { en: 'Updated', ja: '更新' }, kind: 'number' },
      { label: { en: 'Faulty', ja: '誤り' }, kind: 'number' },
      { label: { en: 'Requested', ja: '依頼' } },
    ],
    rows,
  });
}
