import { html } from 'ghtml';
import type { Language } from '../../../shared/kernel/language.ts';
import { formatsOf } from '../../pages/kit/formats.ts';
import type { LinkedVisit } from '../../pages/kit/page.ts';
import { PDFJS } from './pdfjs.ts';
import type { Granted, SigningShown } from './shown.ts';
import type { State } from './state.ts';
import { words } from './words.ts';

/** What the page needs to draw the document: the script and its worker of this origin, which read the PDF from it too. */
export const DRAWING_POLICY = {
  'script-src': "'self'",
  'worker-src': "'self'",
  'connect-src': "'self'",
  'font-src': "'self' data:",
  'img-src': "'self' data: blob:",
};

/** The document: its PDF by a link, and its pages where a script draws them. */
export function paper(visit: LinkedVisit, { language, signing, granted, state }: Showing): string {
  const say = words[language];
  const { file } = granted;
  const { size } = formatsOf(language, signing.time_zone);
  const isSealed = state === 'sealed';
  const place = `${visit.path}/pdf`;
  return html`<div class="paper">
<div class="paper-head"><h2 id="document">${say.document}</h2>
<p class="quiet">${file.file_name} · ${say.pages(file.page_count)} · ${size(file.size_bytes)}</p>
<p><a class="button plain" href="${place}" target="_blank" rel="noopener">${isSealed ? say.download : say.open_pdf}</a>!${isSealed && file.has_signatures ? html` <a class="button plain" href="${certificatePath(visit)}">${say.download_certificate}</a>` : ''}!${isSealed ? html` <a class="button plain" href="${visit.link('/verify')}">${say.verify}</a>` : ''}</p></div>
<div class="drawn" data-script hidden tabindex="0" role="region" aria-labelledby="document" data-pdf="${place}" data-pdfjs="${PDFJS}" data-page-of="${say.page_of('#', file.page_count)}" data-failed="${say.no_drawing}"><p class="quiet" role="status">${say.drawing}</p></div>
</div>`;
}

type Showing = { language: Language; signing: SigningShown; granted: Granted; state: State };

/** The second sealed file of an upload that was signed before: the API serves it, and the cookie of the access goes there too. */
function certificatePath({ param }: LinkedVisit): string {
  return `/api/v1/sign/s/${param}/certificate`;
}
