import { PDF, type PdfDict } from '../../../platform/pdf/libpdf.ts';
import { UnreadableFile } from '../../../platform/readers/failure.ts';
import { operatorsOf } from '../drawing/operators.ts';
import { type Drawing, drawingOf } from '../drawing/plan.ts';
import { type Place, placeOf } from '../geometry.ts';
import type { DrawingOrder, PlacedField, PlacedValue } from '../types.ts';
import { appendPages, attach } from './additions.ts';
import { annotate, isCovered } from './annotations.ts';
import { drawOver, ownResources } from './page-content.ts';
import { pagesOf } from './pages.ts';
import { EmbeddedResources } from './resources.ts';

/**
 * Draws values into a PDF, in the process of a reader, and saves it with subsets of its fonts: what is new comes behind the bytes
 * that it had, unless it has to be written anew, as one that was repaired. One that is saved has to be loaded again before it is signed: signed at once it would hold whole fonts. Refuses `signed_pdf_not_appendable`; values that
 * cannot be drawn are an error, since they were refused when they were saved.
 */
export async function drawnPdf(order: DrawingOrder): Promise<Uint8Array> {
  const pdf = await PDF.load(order.pdf);
  if (order.is_signed && pdf.canSaveIncrementally()) throw new UnreadableFile('signed_pdf_not_appendable');
  const geometry = pagesOf(pdf);
  const resources = new EmbeddedResources(pdf);
  const byPage = Map.groupBy(
    order.fields.filter(({ id }) => order.values[id] != null),
    ({ page }) => page,
  );
  for (const [number, fields] of byPage) {
    const page = pdf.getPage(number - 1)!.dict;
    const drawn = fields.map((field) => {
      const place = placeOf(geometry[number - 1]!, field);
      return { field, place, drawing: drawable(field, order.values[field.id]!, place) };
    });
    const over = order.is_signed ? drawn : drawn.filter(({ place }) => isCovered(pdf, page, place.rectangle));
    for (const each of over) annotate(pdf, page, each, resources);
    const into = drawn.filter((each) => !over.includes(each));
    if (into.length > 0) drawInto(pdf, page, into, resources);
  }
  if (order.append) await appendPages(pdf, await PDF.load(order.append));
  if (order.attachment) attach(pdf, order.attachment);
  return pdf.save({ subsetFonts: true, incremental: pdf.canSaveIncrementally() === null });
}

function drawable(field: PlacedField, value: PlacedValue, place: Place): Drawing {
  const drawing = drawingOf(field, value, place);
  if (typeof drawing === 'string') throw new Error(`The value of ${field.id} cannot be drawn: ${drawing}`);
  return drawing;
}

function drawInto(
  pdf: PDF,
  page: PdfDict,
  drawn: readonly { place: Place; drawing: Drawing }[],
  resources: EmbeddedResources,
): void {
  const own = resources.into(ownResources(pdf, page));
  drawOver(pdf, page, drawn.map(({ place, drawing }) => operatorsOf(drawing, place, own)).join(''));
}
