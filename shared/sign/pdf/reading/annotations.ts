import {
  type PDF,
  PdfArray,
  PdfDict,
  PdfName,
  PdfNumber,
  PdfRef,
  PdfStream,
  PdfString,
} from '../../../platform/pdf/libpdf.ts';
import { operatorsOf } from '../drawing/operators.ts';
import type { Drawing } from '../drawing/plan.ts';
import type { Matrix, Place } from '../geometry.ts';
import type { CropBox, PlacedField } from '../types.ts';
import type { EmbeddedResources } from './resources.ts';

/** Print, ReadOnly, Locked and LockedContents (ISO 32000-1, 12.5.3). */
const FLAGS = 4 + 64 + 128 + 512;

/**
 * Adds what is drawn in a field as an annotation of its own, above all others of the page: its content stays as it was, which
 * signatures demand. The appearance lies in the box as seen, and its matrix turns it as the page is turned.
 */
export function annotate(
  pdf: PDF,
  page: PdfDict,
  { field, place, drawing }: { field: Pick<PlacedField, 'id'>; place: Place; drawing: Drawing },
  resources: EmbeddedResources,
): void {
  const { width, height, matrix } = place;
  const [a, b, c, d] = matrix;
  const used = new PdfDict();
  const unturned: Matrix = [1, 0, 0, 1, 0, 0];
  const operators = operatorsOf(drawing, { width, height, matrix: unturned }, resources.into(used));
  const appearance = pdf.createStream(
    {
      Type: PdfName.of('XObject'),
      Subtype: PdfName.of('Form'),
      BBox: numbers(0, 0, width, height),
      Matrix: numbers(a, b, c, d, 0, 0),
      Resources: used,
    },
    Buffer.from(operators, 'latin1'),
  );
  const annotation = pdf.createDict({
    Type: PdfName.of('Annot'),
    Subtype: PdfName.of('Stamp'),
    Rect: numbers(...place.rectangle),
    F: PdfNumber.of(FLAGS),
    NM: PdfString.fromString(field.id),
    AP: PdfDict.of({ N: appearance }),
  });
  const listed = page.get('Annots');
  const list = listed instanceof PdfRef ? pdf.getObject(listed) : listed;
  if (list instanceof PdfArray) list.push(annotation);
  else page.set('Annots', new PdfArray([annotation]));
  // A list that stands in the page changes with it.
  if (list instanceof PdfArray && !(listed instanceof PdfRef)) page.set('Annots', list);
}

/** Whether an annotation of the page, such as a box of a form, may hide what its content has in a rectangle. */
export function isCovered(pdf: PDF, page: PdfDict, [x0, y0, x1, y1]: CropBox): boolean {
  const resolve = (ref: PdfRef) => pdf.getObject(ref);
  const list = page.getArray('Annots', resolve);
  if (!list) return false;
  return list.toArray().some((_, index) => {
    const annotation = list.at(index, resolve);
    if (!(annotation instanceof PdfDict) || annotation instanceof PdfStream) return false;
    const subtype = annotation.getName('Subtype', resolve)?.value;
    const corners = annotation.getArray('Rect', resolve);
    if (subtype === 'Link' || subtype === 'Popup' || corners?.length !== 4) return false;
    const [a, b, c, d] = [0, 1, 2, 3].map((at) => {
      const corner = corners.at(at, resolve);
      return corner instanceof PdfNumber ? corner.value : 0;
    }) as [number, number, number, number];
    return Math.min(a, c) < x1 && Math.max(a, c) > x0 && Math.min(b, d) < y1 && Math.max(b, d) > y0;
  });
}

function numbers(...values: number[]): PdfArray {
  return new PdfArray(values.map((value) => PdfNumber.of(value)));
}
