import { UnreadableFile } from '../../../platform/readers/failure.ts';
import type { InspectedPdf } from '../types.ts';
import { contentOf } from './content.ts';
import { openPdf } from './opened.ts';
import { requireReadableContents } from './page-content.ts';
import { pagesOf } from './pages.ts';

/** Looks at an upload, in the process of a reader. Refuses it with the words of `pdfRefusals`. */
export async function read(_question: null, content: Buffer): Promise<InspectedPdf> {
  const pdf = await openPdf(content);
  const pages = pagesOf(pdf);
  const { is_active, is_certified, has_signatures } = await contentOf(pdf, content);
  requireReadableContents(pdf);
  if (is_active) throw new UnreadableFile('active_content');
  if (is_certified) throw new UnreadableFile('certified_pdf');
  if (has_signatures && pdf.canSaveIncrementally()) throw new UnreadableFile('signed_pdf_not_appendable');
  return { page_count: pages.length, pages, has_signatures };
}
