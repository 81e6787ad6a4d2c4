import type { Print } from '../../shared/invoicing/print/model.ts';
import { withInfo } from './info.ts';
import type { PaperImages } from './paper/images.ts';
import { layOut } from './paper/lay-out.ts';
import { printPage } from './print-page.ts';
import type { Renderer } from './renderer.ts';

/** The PDF of what a document prints. Errors: those of `Renderer.render`. */
export async function renderPdf(
  renderer: Renderer,
  { print, images }: { print: Print; images: PaperImages },
  signal: AbortSignal,
): Promise<Buffer> {
  const pdf = await renderer.render(async (page) => {
    await layOut(page, print, images);
    return printPage(page);
  }, signal);
  return withInfo(pdf, { title: print.running_head, author: print.issuer.name });
}
