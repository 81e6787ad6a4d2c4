import { z } from 'zod';
import { timestamp } from '../../kernel/schema.ts';

/** How far the PDF of an issued document is. `sha256` is in hexadecimal, `size` in bytes. */
export const DocumentPdf = z
  .strictObject({
    status: z
      .enum(['none', 'rendering', 'ready', 'failed'])
      .describe('`none` for a draft: its PDF is made when it is asked for, and not kept.'),
    sha256: z.string().nullable(),
    size: z.int().nullable(),
    rendered_at: timestamp().nullable(),
  })
  .meta({
    id: 'DocumentPdf',
    examples: [{ status: 'none', sha256: null, size: null, rendered_at: null }],
  });

export type DocumentPdf = z.output<typeof DocumentPdf>;

/** The columns of `invoicing_prints` that `pdfOf` reads. */
export const PDF_COLUMNS = `invoicing_prints.status AS pdf_status, invoicing_prints.sha256 AS pdf_sha256,
  invoicing_prints.size AS pdf_size, invoicing_prints.rendered_at AS pdf_rendered_at`;

export type PdfRow = {
  pdf_status: 'rendering' | 'ready' | 'failed' | null;
  pdf_sha256: string | null;
  pdf_size: number | string | null;
  pdf_rendered_at: string | null;
};

/** The state of a document that was not issued, or has just been made. */
export const NO_PDF: DocumentPdf = { status: 'none', sha256: null, size: null, rendered_at: null };

/** The state in the transaction that issues a document. */
export const RENDERING_PDF: DocumentPdf = { ...NO_PDF, status: 'rendering' };

/** The columns as the API shows them. */
export function pdfOf({ pdf_status, pdf_sha256, pdf_size, pdf_rendered_at }: PdfRow): DocumentPdf {
  return {
    status: pdf_status ?? 'none',
    sha256: pdf_sha256,
    size: pdf_size === null ? null : Number(pdf_size),
    rendered_at: pdf_rendered_at,
  };
}
