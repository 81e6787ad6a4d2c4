import {
  type PDF,
  PdfArray,
  PdfDict,
  type PdfObject,
  PdfRef,
  PdfStream,
} from '../../../platform/pdf/libpdf.ts';
import { savesAfter } from './saves.ts';

/**
 * The page's own resources, a copy of what it may share with other pages or takes from the nodes above it: the library would
 * forget those.
 */
export function ownResources(pdf: PDF, page: PdfDict): PdfDict {
  const resources = inheritedResources(pdf, page)?.clone() ?? new PdfDict();
  page.set('Resources', resources);
  return resources;
}

function inheritedResources(pdf: PDF, page: PdfDict): PdfDict | undefined {
  const resolve = (ref: PdfRef) => pdf.getObject(ref);
  const seen = new Set<PdfDict>();
  for (
    let node: PdfDict | undefined = page;
    node && !seen.has(node);
    node = node.getDict('Parent', resolve)
  ) {
    seen.add(node);
    const resources = node.getDict('Resources', resolve);
    if (resources) return resources;
  }
  return undefined;
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
