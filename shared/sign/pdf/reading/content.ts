import { PDF, PdfArray, PdfDict, PdfName, type PdfObject, PdfRef } from '../../../platform/pdf/libpdf.ts';
import { UnreadableFile } from '../../../platform/readers/failure.ts';
import { MOST_OBJECTS } from '../types.ts';

/** What a PDF holds anywhere, of what decides whether it can be signed. */
export type FoundContent = { is_active: boolean; is_certified: boolean; has_signatures: boolean };

/**
 * Walks everything that a viewer can reach from the catalog. Refuses `unreadable_pdf` where an object that is there cannot be
 * read: the library would take it for null, and a sealed file would have lost it.
 */
export async function contentOf(pdf: PDF, content: Uint8Array): Promise<FoundContent> {
  const found = { is_active: false, is_certified: false, has_signatures: false };
  const { seen, missing } = walk(pdf, (dict) => look(pdf, dict, found));
  if (seen.size > MOST_OBJECTS) throw new UnreadableFile('too_complex');
  if (await isAnyThere(pdf, missing, content)) throw new UnreadableFile('unreadable_pdf');
  const catalog = pdf.getCatalog();
  if (dictOf(pdf, catalog.get('Names'))?.has('JavaScript')) found.is_active = true;
  if (dictOf(pdf, catalog.get('AcroForm'))?.has('XFA')) found.is_active = true;
  if (dictOf(pdf, catalog.get('Perms'))?.has('DocMDP')) found.is_certified = true;
  return found;
}

function look(pdf: PDF, dict: PdfDict, found: FoundContent): void {
  const action = nameOf(pdf, dict.get('S'));
  if (action === 'JavaScript' || action === 'Launch') found.is_active = true;
  // The script of a rendition, and that of a three-dimensional drawing.
  if ((action === 'Rendition' && dict.has('JS')) || dict.has('OnInstantiate')) found.is_active = true;
  if (nameOf(pdf, dict.get('TransformMethod')) === 'DocMDP') found.is_certified = true;
  if (dict.has('ByteRange') && dict.has('Contents')) found.has_signatures = true;
}

/** Visits every dictionary once. `missing` are references behind which the library found nothing. */
function walk(pdf: PDF, visit: (dict: PdfDict) => void): { seen: Set<string>; missing: PdfRef[] } {
  const seen = new Set<string>();
  const missing: PdfRef[] = [];
  const left: PdfObject[] = [pdf.getCatalog()];
  for (let object = left.pop(); object; object = left.pop()) {
    if (object instanceof PdfRef) {
      const reference = object.toString();
      if (seen.has(reference)) continue;
      seen.add(reference);
      const value = pdf.getObject(object);
      if (value) left.push(value);
      else missing.push(object);
    } else if (object instanceof PdfArray) {
      for (const item of object) left.push(item);
    } else if (object instanceof PdfDict) {
      visit(object);
      for (const [, value] of object) left.push(value);
    }
  }
  return { seen, missing };
}

/** Whether the file has an object behind one of the references, which may also name objects that were never there. */
async function isAnyThere(pdf: PDF, missing: readonly PdfRef[], content: Uint8Array): Promise<boolean> {
  if (missing.length === 0) return false;
  if (pdf.recoveredViaBruteForce) return missing.some((ref) => isWritten(ref, content));
  const strict = await PDF.load(content, { lenient: false }).catch(() => null);
  if (!strict) return missing.some((ref) => isWritten(ref, content));
  try {
    for (const ref of missing) strict.getObject(ref);
    return false;
  } catch {
    return true;
  }
}

function isWritten({ objectNumber, generation }: PdfRef, content: Uint8Array): boolean {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  return ['\n', '\r', ' '].some((before) => bytes.includes(`${before}${objectNumber} ${generation} obj`));
}

function nameOf(pdf: PDF, object: PdfObject | undefined): string | null {
  const value = object instanceof PdfRef ? pdf.getObject(object) : object;
  return value instanceof PdfName ? value.value : null;
}

function dictOf(pdf: PDF, object: PdfObject | undefined): PdfDict | null {
  const value = object instanceof PdfRef ? pdf.getObject(object) : object;
  return value instanceof PdfDict ? value : null;
}
