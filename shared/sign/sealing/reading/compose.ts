import { PDF } from '../../../platform/pdf/libpdf.ts';
import { UnreadableFile } from '../../../platform/readers/failure.ts';
import { Made } from '../../../platform/readers/made.ts';
import { drawnPdf } from '../../pdf/reading/draw.ts';
import { orderOf } from '../../pdf/reading/make.ts';
import type { Composed, Composition } from '../types.ts';
import { placeSeal } from './place.ts';

/**
 * Puts together what is sealed, with a stand-in where the seal comes: the values of the fields drawn, the pages of the
 * certificate behind, the trail attached. It is saved with the letters of its fonts that it uses, and loaded again before the
 * seal is placed: signed at once it would hold whole fonts. Of an upload that has signatures not one byte is changed.
 */
export async function read({ drawing, ...asked }: Composition, content: Buffer): Promise<Made<Composed>> {
  const saved = await drawnPdf(orderOf(drawing, content));
  const pdf = await PDF.load(saved);
  if (pdf.canSaveIncrementally()) throw new UnreadableFile('signed_pdf_not_appendable');
  const { bytes, place } = await placeSeal(pdf, asked);
  return new Made({ place, page_count: pdf.getPageCount() }, bytes);
}
