import type { Sheet } from '../../../shared/attendance/exports/sheets/model.ts';
import { withInfo } from '../../pdf/info.ts';
import { joinPdfs } from '../../pdf/join.ts';
import { printPage, releasePrinted } from '../../pdf/print-page.ts';
import type { Renderer } from '../../pdf/renderer.ts';
import { sheetPages } from './page.ts';

/** Pages that are printed together: Chromium's memory grows with them. */
const PRINTED = 20;

/**
 * The PDF of some sheets, a page each, printed in parts that are joined, so that what Chromium holds does not grow with them. Errors:
 * those of `Renderer.render`.
 */
export async function renderSheets(
  renderer: Renderer,
  sheets: readonly Sheet[],
  signal: AbortSignal,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let from = 0; from < sheets.length; from += PRINTED) {
    const html = sheetPages(sheets.slice(from, from + PRINTED));
    const print = renderer.render(async (page) => {
      await page.setContent(html);
      const printed = await printPage(page, false);
      await releasePrinted(page);
      return printed;
    }, signal);
    parts.push(await print);
  }
  const { title, month, organization } = sheets[0]!;
  return withInfo(joinPdfs(parts), { title: `${title} ${month}`, author: organization });
}
