import { inflateSync } from 'node:zlib';
import {
  type PDF,
  PdfArray,
  PdfDict,
  PdfName,
  type PdfObject,
  PdfRef,
  PdfStream,
} from '../../../platform/pdf/libpdf.ts';
import { UnreadableFile } from '../../../platform/readers/failure.ts';
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

/** Bytes that the content of one page may have, decoded: to draw over it, all of it is read in the seconds of one process. */
const MOST_CONTENT = 64 * 1024 * 1024;

/**
 * Refuses `too_complex` where the content of a page is so large, decoded, that nothing could be drawn over it: such a document could
 * never be sealed once all have signed.
 */
export function requireReadableContents(pdf: PDF): void {
  const sizes = new Map<string, number>();
  for (const { dict } of pdf.getPages()) {
    let left = MOST_CONTENT;
    for (const content of contentsOf(pdf, dict)) {
      const name = content instanceof PdfRef ? content.toString() : null;
      const stream = content instanceof PdfRef ? pdf.getObject(content) : content;
      if (!(stream instanceof PdfStream)) continue;
      const size = (name === null ? undefined : sizes.get(name)) ?? decodedSize(stream);
      if (name !== null) sizes.set(name, size);
      left -= size;
      if (left < 0) throw new UnreadableFile('too_complex');
    }
  }
}

/** Bytes of a stream when it is decoded; of the usual kind, which can grow a thousandfold, without decoding more than a page may have. */
function decodedSize(stream: PdfStream): number {
  if (!isDeflatedAlone(stream)) return decoded(stream).length;
  try {
    return inflateSync(stream.data, { maxOutputLength: MOST_CONTENT + 1 }).length;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ERR_BUFFER_TOO_LARGE' ? MOST_CONTENT + 1 : decoded(stream).length;
  }
}

function isDeflatedAlone(stream: PdfStream): boolean {
  const filter = stream.get('Filter');
  const [only, ...more] = filter instanceof PdfArray ? filter.toArray() : [filter];
  return only instanceof PdfName && only.value === 'FlateDecode' && more.length === 0;
}
