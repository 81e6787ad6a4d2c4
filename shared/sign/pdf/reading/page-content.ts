import { type PDF, PdfArray, PdfDict, type PdfObject, PdfRef, PdfStream } from '../libpdf.ts';
import { savesAfter } from './saves.ts';

const INHERITED = ['Resources', 'MediaBox', 'CropBox', 'Rotate'];

/**
 * Gives a page as its own what it takes from the nodes above it: the library would forget these when it adds pages, and
 * resources when it adds one of them.
 */
export function keepInherited(pdf: PDF, page: PdfDict): void {
  for (const key of INHERITED) {
    if (page.has(key)) continue;
    const above = inheritedOf(pdf, page, key);
    if (above) page.set(key, above);
  }
}

function inheritedOf(pdf: PDF, page: PdfDict, key: string): PdfObject | undefined {
  const seen = new Set<PdfDict>();
  let node: PdfDict | undefined = page;
  while (node && !seen.has(node)) {
    seen.add(node);
    const value = node.get(key);
    if (value) return value;
    node = node.getDict('Parent', (ref) => pdf.getObject(ref));
  }
  return undefined;
}

/** The page's own resources, a copy of what it may share with other pages. */
export function ownResources(pdf: PDF, page: PdfDict): PdfDict {
  const resources = page.getDict('Resources', (ref) => pdf.getObject(ref))?.clone() ?? new PdfDict();
  page.set('Resources', resources);
  return resources;
}

/**
 * Draws over what is on a page. The page's own content stands between `q` and as many `Q` as it leaves open, so that what comes
 * after it is drawn in the page's own space, as if nothing had been drawn.
 */
export function drawOver(pdf: PDF, page: PdfDict, operators: string): void {
  const own = contentsOf(pdf, page);
  const stream = (text: string) => pdf.createStream({}, Buffer.from(text, 'latin1'));
  const closing = 'Q\n'.repeat(1 + openSaves(pdf, own));
  page.set('Contents', new PdfArray([stream('q\n'), ...own, stream(`\n${closing}${operators}`)]));
}

function contentsOf(pdf: PDF, page: PdfDict): PdfObject[] {
  const contents = page.get('Contents');
  const value = contents instanceof PdfRef ? pdf.getObject(contents) : contents;
  if (value instanceof PdfArray) return value.toArray();
  return value instanceof PdfStream && contents ? [contents] : [];
}

/** How many states a page's content saves and does not restore. What cannot be decoded counts as closed. */
function openSaves(pdf: PDF, contents: readonly PdfObject[]): number {
  let open = 0;
  for (const content of contents) {
    const stream = content instanceof PdfRef ? pdf.getObject(content) : content;
    if (stream instanceof PdfStream) open = savesAfter(decoded(stream), open);
  }
  return open;
}

function decoded(stream: PdfStream): string {
  try {
    return Buffer.from(stream.getDecodedData()).toString('latin1');
  } catch {
    return '';
  }
}
