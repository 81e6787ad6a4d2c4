import { html } from 'ghtml';
import type { FolderRow } from '../../../shared/cloud/items/model.ts';
import { type After, type Child, childrenBelow } from '../../../shared/cloud/shares/below.ts';
import type { OpenedShare } from '../../../shared/cloud/shares/opened.ts';
import { placeNamed, placeText } from '../../../shared/cloud/shares/view.ts';
import { zoneName } from '../../../shared/kernel/zone-name.ts';
import type { Steps } from '../../http/steps.ts';
import { type Formats, formatsOf } from '../../pages/kit/formats.ts';
import type { LinkedVisit, View } from '../../pages/kit/page.ts';
import { downloadsLeft } from './file.ts';
import { words } from './words.ts';

/** Rows of one page for people, and rows that are read together for programs. */
const PAGE = 200;
const CHUNK = 1_000;

/** A folder of a share, the names of the folders down to it, and the time zone of its organization. */
export type FolderShown = {
  opened: OpenedShare;
  folder: FolderRow;
  names: readonly string[];
  time_zone: string;
};

/**
 * The page of a folder: a table of relative links. People get pages of it; a program, which asks for no HTML, gets all rows
 * on one, as rclone and others read folders that are served so. They are read while they are sent.
 */
export async function folderPage(visit: LinkedVisit, shown: FolderShown): Promise<View> {
  const { language, steps } = visit;
  const { opened, folder, names, time_zone } = shown;
  const say = words[language];
  const formats = formatsOf(language, time_zone);
  const title = names.at(-1) ?? folder.name;
  const head = html`<h1>${title}</h1>
!${whereabouts(visit, opened.item.name, names)}
!${downloadsLeft(language, opened)}`;
  const begin = html`<div class="listing"><table>
<thead><tr><th scope="col">${say.name}</th><th scope="col">${say.size}</th><th scope="col">${say.updated} (${zoneName(language, time_zone)})</th></tr></thead>
<tbody>
`;
  const row = (child: Child) => rowOf(visit, child, formats);
  const view = { title, policy: { 'form-action': "'none'" } };
  if (!wantsPages(steps)) {
    const rows = allRows(steps, shown, row);
    return { ...view, body: `${head}${begin}`, rows: followed(rows, END) };
  }
  const after = placeNamed(visit.query('after'));
  const { items, has_more } = await steps.read((reader) =>
    childrenBelow(reader, opened, folder.id, { after, limit: PAGE }),
  );
  if (items.length === 0 && after === null) return { ...view, body: html`!${head}<p>${say.empty}</p>` };
  const body = html`!${head}
!${after ? html`<p>${say.part} <a href="${visit.link('./')}">${say.first}</a></p>` : ''}
!${begin}!${items.map(row).join('')}!${END}
!${has_more ? html`<p><a href="${nextOf(visit, items.at(-1)!)}" rel="next">${say.next}</a></p>` : ''}`;
  return { ...view, body };
}

const END = '</tbody></table></div>';

/** Whether HTML is asked for by its name, as browsers do. */
function wantsPages({ heard }: Steps): boolean {
  return heard['Accept']?.includes('text/html') ?? false;
}

function nextOf(visit: LinkedVisit, last: After): string {
  const href = visit.link('./');
  return `${href}${href.includes('?') ? '&' : '?'}after=${encodeURIComponent(placeText(last))}`;
}

async function* allRows(
  { context, caller }: Steps,
  { opened, folder }: FolderShown,
  row: (child: Child) => string,
): AsyncGenerator<string> {
  let after: After | null = null;
  for (;;) {
    const window: { after: After | null; limit: number } = { after, limit: CHUNK };
    // A step of the request would be out of time: the folder may be long, and its reader slow.
    const { items, has_more } = await context.database.withConnection(caller.organization_id, (connection) =>
      childrenBelow({ ...caller, connection }, opened, folder.id, window),
    );
    yield items.map(row).join('');
    if (!has_more) return;
    after = items.at(-1)!;
  }
}

async function* followed(rows: AsyncIterable<string>, end: string): AsyncGenerator<string> {
  yield* rows;
  yield end;
}

function rowOf(visit: LinkedVisit, { name, type, size_bytes, updated_at }: Child, formats: Formats): string {
  const href = encodeURIComponent(name);
  const isFolder = type === 'folder';
  const link = isFolder
    ? html`<a href="${visit.link(`${href}/`)}">${name}/</a>`
    : html`<a href="${href}">${name}</a>`;
  const size = isFolder ? '<td class="none">–</td>' : html`<td>${formats.size(size_bytes!)}</td>`;
  return html`<tr><th scope="row">!${link}</th>!${size}<td>!${formats.time(updated_at)}</td></tr>
`;
}

/** The folders from the share down to this one; nothing for the share itself. */
function whereabouts({ language, link }: LinkedVisit, root: string, names: readonly string[]): string {
  if (names.length === 0) return '';
  const above = [root, ...names.slice(0, -1)];
  const items = above.map(
    (name, index) => html`<li><a href="${link('../'.repeat(above.length - index))}">${name}</a></li>`,
  );
  return html`<nav class="way" aria-label="${words[language].whereabouts}"><ol>!${items.join('')}<li aria-current="page">${names.at(-1)!}</li></ol></nav>`;
}
