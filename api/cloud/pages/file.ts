import { html } from 'ghtml';
import type { FileRow } from '../../../shared/cloud/items/model.ts';
import type { OpenedShare } from '../../../shared/cloud/shares/opened.ts';
import { zoneName } from '../../../shared/kernel/zone-name.ts';
import { formatsOf } from '../../pages/kit/formats.ts';
import type { Language } from '../../pages/kit/language.ts';
import type { LinkedVisit, View } from '../../pages/kit/page.ts';
import { words } from './words.ts';

/** The page of a file that is shared by itself. */
export function filePage(
  { language }: LinkedVisit,
  { opened, file, time_zone }: { opened: OpenedShare; file: FileRow; time_zone: string },
): View {
  const say = words[language];
  const { size, time } = formatsOf(language, time_zone);
  const bytes = say.bytes(Intl.NumberFormat(language).format(file.size_bytes));
  const body = html`<h1>${file.name}</h1>
<p><a class="button" href="${encodeURIComponent(file.name)}">${say.download}</a></p>
!${downloadsLeft(language, opened)}
<dl>
<dt>${say.size}</dt><dd>${size(file.size_bytes)}${bytes}</dd>
<dt>${say.updated}</dt><dd>!${time(file.updated_at)} (${zoneName(language, time_zone)})</dd>
<dt>SHA-256</dt><dd><code class="secret">${file.sha256}</code><br><span class="quiet">${say.checked}</span></dd>
</dl>`;
  return { title: file.name, body, policy: { 'form-action': "'none'" } };
}

/** How often something may still be downloaded; nothing where that has no bound. */
export function downloadsLeft(language: Language, { share }: OpenedShare): string {
  const { max_downloads, download_count } = share;
  if (max_downloads === null) return '';
  return html`<p class="quiet">${words[language].left(max_downloads - download_count)}</p>`;
}
