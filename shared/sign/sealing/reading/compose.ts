import { UnreadableFile } from '../../../platform/readers/failure.ts';
import { PDF } from '../../pdf/libpdf.ts';
import type { Composed, Composition } from '../types.ts';
import { placeSeal } from './place.ts';

/**
 * Puts together what is sealed: the values of the fields drawn, the pages of the certificate behind, the trail attached; then it
 * is saved with the letters of its fonts that it uses, and loaded again before the seal is placed: signed at once it would hold
 * the whole font. Of an upload that has signatures not one byte is changed.
 */
export async function read(asked: Composition, content: Buffer): Promise<Composed> {
  const upload = content.subarray(0, asked.upload_bytes);
  const saved = asked.has_signatures
    ? await appended(upload)
    : await composed(asked, upload, content.subarray(asked.upload_bytes));
  const pdf = await PDF.load(saved);
  if (pdf.canSaveIncrementally()) throw new UnreadableFile('signed_pdf_not_appendable');
  return { ...(await placeSeal(pdf, asked)), page_count: pdf.getPageCount() };
}

async function composed(
  { attachment, title }: Composition,
  upload: Buffer,
  certificate: Buffer,
): Promise<Uint8Array> {
  const pdf = await PDF.load(upload);
  if (certificate.length > 0) {
    const pages = await PDF.load(certificate);
    const all = Array.from({ length: pages.getPageCount() }, (_, index) => index);
    await pdf.copyPagesFrom(pages, all);
  }
  if (attachment) {
    const at = new Date(attachment.at);
    pdf.addAttachment(attachment.name, Buffer.from(attachment.text), {
      mimeType: 'application/json',
      createdAt: at,
      modifiedAt: at,
    });
  }
  if (title !== null) pdf.setTitle(title);
  return pdf.save({ subsetFonts: true });
}

async function appended(upload: Buffer): Promise<Uint8Array> {
  return upload;
}
