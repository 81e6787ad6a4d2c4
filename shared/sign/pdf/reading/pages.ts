import {
  type PDF,
  PdfArray,
  PdfDict,
  PdfNumber,
  type PdfObject,
  PdfRef,
} from '../../../platform/pdf/libpdf.ts';
import { UnreadableFile } from '../../../platform/readers/failure.ts';
import { type CropBox, MOST_PAGES, type PageGeometry, type Rotation } from '../types.ts';

/** Points that a side may have (ISO 32000-1, Annex C.2); viewers refuse more. */
const LONGEST_SIDE = 14_400;
/** Nodes one in the other; trees of writers are balanced. */
const DEEPEST = 500;
/** What readers take for a page that names no MediaBox: US Letter. */
const LETTER: CropBox = [0, 0, 612, 792];

/** What a page takes from the nodes above it (ISO 32000-1, 7.7.3.4). */
type Inherited = { MediaBox?: CropBox; CropBox?: CropBox; Rotate?: number };

/**
 * The pages of a PDF in their order. The tree is walked here, and every Count compared, because viewers go by it and the
 * library does not: where they differ, a field would be drawn on another page than its signer saw. Refuses `unreadable_pdf`
 * (a circle, a page used twice, a Count that differs, no page, a page without a size) and `too_many_pages`.
 */
export function pagesOf(pdf: PDF): PageGeometry[] {
  const pages: PageGeometry[] = [];
  const seen = new Set<string>();
  const walk = (ref: PdfRef, inherited: Inherited, depth: number): number => {
    if (depth > DEEPEST || seen.has(ref.toString())) throw new UnreadableFile('unreadable_pdf');
    seen.add(ref.toString());
    const node = pdf.getObject(ref);
    if (!(node instanceof PdfDict)) throw new UnreadableFile('unreadable_pdf');
    const own = { ...inherited, ...inheritableOf(pdf, node) };
    const kids = resolved(pdf, node.get('Kids'));
    if (!(kids instanceof PdfArray)) {
      pages.push(geometryOf(own));
      return 1;
    }
    let count = 0;
    for (const kid of kids) {
      if (!(kid instanceof PdfRef)) throw new UnreadableFile('unreadable_pdf');
      count += walk(kid, own, depth + 1);
      if (pages.length > MOST_PAGES) throw new UnreadableFile('too_many_pages');
    }
    if (numberOf(pdf, node.get('Count')) !== count) throw new UnreadableFile('unreadable_pdf');
    return count;
  };
  const root = pdf.getCatalog().getRef('Pages');
  if (!root) throw new UnreadableFile('unreadable_pdf');
  walk(root, {}, 0);
  if (pages.length === 0 || pages.length !== pdf.getPageCount()) throw new UnreadableFile('unreadable_pdf');
  return pages;
}

function inheritableOf(pdf: PDF, node: PdfDict): Inherited {
  const MediaBox = boxOf(pdf, node.get('MediaBox'));
  const CropBox = boxOf(pdf, node.get('CropBox'));
  const Rotate = numberOf(pdf, node.get('Rotate'));
  return { ...(MediaBox && { MediaBox }), ...(CropBox && { CropBox }), ...(Rotate !== null && { Rotate }) };
}

/** A viewer shows the part of the CropBox that is in the MediaBox; where they do not meet, the MediaBox. */
function geometryOf({
  MediaBox: media = LETTER,
  CropBox: crop = media,
  Rotate = 0,
}: Inherited): PageGeometry {
  const seen: CropBox = [
    Math.max(media[0], crop[0]),
    Math.max(media[1], crop[1]),
    Math.min(media[2], crop[2]),
    Math.min(media[3], crop[3]),
  ];
  const crop_box = hasArea(seen) ? seen : media;
  const longest = Math.max(crop_box[2] - crop_box[0], crop_box[3] - crop_box[1]);
  if (!hasArea(crop_box) || longest > LONGEST_SIDE) throw new UnreadableFile('unreadable_pdf');
  return { crop_box, rotation: turnsOf(Rotate) };
}

function hasArea([x0, y0, x1, y1]: CropBox): boolean {
  return x1 > x0 && y1 > y0;
}

/** A rotation that is not a quarter turn is read as none, as viewers do. */
function turnsOf(rotate: number): Rotation {
  const turns = ((rotate % 360) + 360) % 360;
  return turns === 90 || turns === 180 || turns === 270 ? turns : 0;
}

/** A rectangle may name any two opposite corners (ISO 32000-1, 7.9.5). */
function boxOf(pdf: PDF, object: PdfObject | undefined): CropBox | null {
  const box = resolved(pdf, object);
  if (!(box instanceof PdfArray) || box.length !== 4) return null;
  const [a, b, c, d] = box.toArray().map((each) => numberOf(pdf, each));
  if (a == null || b == null || c == null || d == null) return null;
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
}

function numberOf(pdf: PDF, object: PdfObject | undefined): number | null {
  const value = resolved(pdf, object);
  return value instanceof PdfNumber && Number.isFinite(value.value) ? value.value : null;
}

function resolved(pdf: PDF, object: PdfObject | undefined): PdfObject | null | undefined {
  return object instanceof PdfRef ? pdf.getObject(object) : object;
}
