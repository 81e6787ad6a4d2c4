import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, PdfRef } from '../../../platform/pdf/libpdf.ts';
import type { Attachment } from '../types.ts';

/**
 * Adds the pages of another PDF behind those that are there. They hang beside the tree of before, in a node above both: the
 * library would hang all pages into one node, without what they take from those in between, and write each of them anew.
 */
export async function appendPages(pdf: PDF, added: PDF): Promise<void> {
  const copied: PdfRef[] = [];
  pdf.context.pages.insertPage = (_index, ref) => copied.push(ref);
  const count = pdf.getPageCount();
  await pdf.copyPagesFrom(added, [...added.getPages().keys()]);
  const catalog = pdf.getCatalog();
  const before = catalog.getRef('Pages')!;
  const root = pdf.createDict({
    Type: PdfName.of('Pages'),
    Kids: new PdfArray([before, ...copied]),
    Count: PdfNumber.of(count + copied.length),
  });
  for (const ref of [before, ...copied]) (pdf.getObject(ref) as PdfDict).set('Parent', root);
  catalog.set('Pages', root);
}

/** Attaches a file beside those that are there. */
export function attach(pdf: PDF, { name, description, media_type, content, at }: Attachment): void {
  const names = resolved(pdf, pdf.getCatalog().get('Names'));
  if (names instanceof PdfDict) giveReferences(pdf, names.get('EmbeddedFiles'), new Set());
  const time = new Date(at);
  pdf.addAttachment(name, content, { description, mimeType: media_type, createdAt: time, modifiedAt: time });
}

/** Files that stand in the tree of names themselves get objects of their own: the library drops all others when it adds one. */
function giveReferences(pdf: PDF, node: ReturnType<PdfDict['get']>, seen: Set<PdfDict>): void {
  const dictionary = resolved(pdf, node);
  if (!(dictionary instanceof PdfDict) || seen.has(dictionary)) return;
  seen.add(dictionary);
  const files = resolved(pdf, dictionary.get('Names'));
  if (files instanceof PdfArray) {
    for (const [index, file] of files.toArray().entries()) {
      if (file instanceof PdfDict) files.set(index, pdf.register(file));
    }
  }
  const kids = resolved(pdf, dictionary.get('Kids'));
  if (kids instanceof PdfArray) for (const kid of kids) giveReferences(pdf, kid, seen);
}

function resolved(pdf: PDF, object: ReturnType<PdfDict['get']>) {
  return object instanceof PdfRef ? pdf.getObject(object) : object;
}
