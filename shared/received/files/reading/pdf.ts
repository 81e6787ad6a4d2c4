import { PDF } from '../../../platform/pdf/libpdf.ts';
import { UnreadableFile } from '../../../platform/readers/failure.ts';

/**
 * Looks whether a PDF can be opened, in the process of a reader, and answers how many pages it has. Refuses `locked` for one
 * that asks for a password, and `damaged` for one whose table of references is broken or that has no pages: a viewer that opens
 * it has guessed what is in it.
 */
export async function read(_question: null, content: Buffer): Promise<number> {
  const pdf = await PDF.load(content).catch(() => null);
  if (pdf?.isEncrypted && !pdf.isAuthenticated) throw new UnreadableFile('locked');
  if (!pdf || pdf.recoveredViaBruteForce) throw new UnreadableFile('damaged');
  const pages = pdf.getPages().length;
  if (pages === 0) throw new UnreadableFile('damaged');
  return pages;
}
