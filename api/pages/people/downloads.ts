import { html } from 'ghtml';
import { Failure, notFound } from '../../../shared/kernel/failure.ts';
import { isId } from '../../../shared/kernel/id.ts';
import { type Download, downloadPage, isOpen } from '../../../shared/platform/jobs/downloads.ts';
import { jobFile, KEPT_DAYS } from '../../../shared/platform/jobs/files.ts';
import { type Formats, formatsOf } from '../kit/formats.ts';
import type { Page, View, Visit } from '../kit/page.ts';
import { LIVE_SCRIPT, liveControl } from '../live.ts';
import { accountWords } from './account-words.ts';
import { downloadWords, failureSentence, progressSentence, statusWords, whatOf } from './downloads-words.ts';

/** Files of one page. */
const PER_PAGE = 50;

/** Days and times of the pages for members. */
const TIME_ZONE = 'Asia/Tokyo';

/** Where a signed-in person finds the files of their organization that they asked for or may have, and those being made. */
export const downloadsPage: Page = {
  path: '/downloads',
  show: async (visit) => {
    const { session, language, steps, link } = visit;
    if (!session) return { to: link('/sign-in') };
    const { title } = downloadWords[language];
    if (session.organization_id === null) {
      return { title, body: html`<h1>${title}</h1><p>${accountWords[language].no_organization}</p>` };
    }
    const before = isId(visit.query('before'), 'job') ? visit.query('before') : null;
    const page = await steps.read((reader) => downloadPage(reader, { before, limit: PER_PAGE }));
    return view(visit, { ...page, before, user_id: session.user_id });
  },
};

/** The file itself, for who may see the job that made it. */
export const downloadPageOfFile: Page = {
  path: '/downloads/:id',
  show: async ({ session, param, steps, language, link }) => {
    if (!session) return { to: link('/sign-in') };
    if (session.organization_id === null) throw new Failure('no_active_organization');
    try {
      if (!isId(param, 'job')) throw notFound();
      return { file: await steps.read((reader) => jobFile(reader, param)) };
    } catch (error) {
      if (!(error instanceof Failure) || !NOT_THERE.has(error.code)) throw error;
      const { gone, title } = downloadWords[language];
      const body = html`<h1>${title}</h1><p>${gone}</p><p><a href="${link('/downloads')}">${title}</a></p>`;
      return { status: 404, title, body };
    }
  },
};

/** A file that is gone, foreign or not ready: none of it may be told apart. */
const NOT_THERE = new Set<string>(['not_found', 'job_not_finished']);

type Shown = { rows: readonly Download[]; has_more: boolean; before: string | null; user_id: string | null };

function view(visit: Visit, { rows, has_more, before, user_id }: Shown): View {
  const { language, link } = visit;
  const say = downloadWords[language];
  const formats = formatsOf(language, TIME_ZONE);
  const entry = (download: Download) => entryOf(visit, download, { formats, user_id });
  const made = rows.filter(({ status }) => !isOpen(status));
  const making = rows.filter(({ status }) => isOpen(status));
  const { asked_language } = visit;
  const older = new URLSearchParams({
    before: rows.at(-1)?.id ?? '',
    ...(asked_language && { lang: asked_language }),
  });
  const body = html`<h1>${say.title}</h1>
<p>${say.lead(KEPT_DAYS)}</p>
<div data-live="downloads">
<h2>${say.making}</h2>
!${making.length === 0 ? html`<p class="quiet">${say.none_making}</p>` : html`<ul class="downloads">!${making.map(entry)}</ul>`}
<h2>${say.ready}</h2>
!${made.length === 0 ? html`<p class="quiet">${say.none}</p>` : html`<ul class="downloads">!${made.map(entry)}</ul>`}
</div>
<p>!${has_more ? html`<a href="/downloads?${older.toString()}">${say.older}</a>` : ''} !${before === null ? '' : html`<a href="${link('/downloads')}">${say.newest}</a>`}</p>
<p class="quiet">!${liveControl(language)} <a href="${link('/downloads')}">${say.again}</a></p>
<p><a href="${link('/account')}">${accountWords[language].back}</a></p>
<script defer src="${LIVE_SCRIPT}"></script>`;
  return {
    title: say.title,
    body,
    is_wide: true,
    policy: { 'script-src': "'self'", 'connect-src': "'self'" },
    ...(before !== null && { kept: { before } }),
  };
}

/** A file or one that is being made: what it is, when it was asked for, and what can be done now. */
function entryOf(
  { language, link }: Visit,
  download: Download,
  { formats, user_id }: { formats: Formats; user_id: string | null },
): string {
  const { id, kind, created_at, created_by, file } = download;
  const say = downloadWords[language];
  const whose = created_by === user_id ? '' : html` · ${say.of_others}`;
  const about = html`<span class="quiet">!${file ? html`${whatOf(kind, language)} · ` : ''}${say.asked} !${formats.time(created_at)}!${whose}</span>`;
  if (!file) {
    return html`<li><div><strong>${whatOf(kind, language)}</strong>!${about}</div>!${stateOf(download, language)}</li>`;
  }
  return html`<li><div><strong>${file.file_name}</strong>!${about}
<span class="quiet">${say.kept} !${formats.time(file.kept_until)}</span></div>
<a class="button" href="${link(`/downloads/${id}`)}">${say.download} <span class="size">${formats.size(file.size)}</span><span class="unseen">: ${file.file_name}</span></a></li>`;
}

function stateOf(download: Download, language: Visit['language']): string {
  const { status, progress_done, progress_total, error } = download;
  const sentence =
    status === 'failed' ? failureSentence(language, error) : progressSentence(language, download);
  const words = html`<span>${statusWords[status][language]}!${sentence ? html` <span class="quiet">${sentence}</span>` : ''}</span>`;
  if (!isOpen(status)) return html`<div class="state">!${words}</div>`;
  const known =
    progress_total === null || progress_total === 0
      ? ''
      : html` max="${progress_total}" value="${progress_done}"`;
  return html`<div class="state"><progress aria-label="${downloadWords[language].progress}"!${known}></progress>!${words}</div>`;
}
