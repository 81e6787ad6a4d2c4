import { PDF } from '../../../platform/pdf/libpdf.ts';
import { UnreadableFile } from '../../../platform/readers/failure.ts';
import { MOST_OBJECTS } from '../types.ts';

/**
 * Opens a foreign PDF, in the process of a reader. Refuses `encrypted_pdf`, also where the library cannot go on without the
 * password or lost the entry while it repaired the file; then `unreadable_pdf`, and `too_complex` by the highest number of an
 * object, which is what tables and memory grow with.
 */
export async function openPdf(content: Uint8Array): Promise<PDF> {
  const pdf = await PDF.load(content).catch(() => null);
  if (pdf?.isEncrypted || ((!pdf || pdf.recoveredViaBruteForce) && namesEncryption(content))) {
    throw new UnreadableFile('encrypted_pdf');
  }
  if (!pdf) throw new UnreadableFile('unreadable_pdf');
  // Asked before anything is resolved: a reference to an object that is not there raises it.
  if (pdf.context.registry.nextObjectNumber > MOST_OBJECTS) throw new UnreadableFile('too_complex');
  return pdf;
}

/** Trailers and the dictionaries of cross-reference streams are never compressed. */
function namesEncryption(content: Uint8Array): boolean {
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1');
  return /\/Encrypt\s*(?:\d+\s+\d+\s+R|<<)/.test(text);
}
