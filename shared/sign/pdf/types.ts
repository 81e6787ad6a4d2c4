/** Quarter turns by which a viewer shows a page, clockwise (/Rotate). */
export type Rotation = 0 | 90 | 180 | 270;

/** The part of a page that is seen, in points of its own space: [x0, y0, x1, y1] with x0 < x1 and y0 < y1. */
export type CropBox = [x0: number, y0: number, x1: number, y1: number];

/** What fields need to know of a page. */
export type PageGeometry = { crop_box: CropBox; rotation: Rotation };

/** What is known of an upload. `has_signatures`: it was signed before, so values are added to it and nothing is changed. */
export type InspectedPdf = { page_count: number; pages: PageGeometry[]; has_signatures: boolean };

/** Why an upload is not taken, in the order in which it is looked for. */
export const pdfRefusals = [
  'encrypted_pdf',
  'unreadable_pdf',
  'too_complex',
  'too_many_pages',
  'active_content',
  'certified_pdf',
  'signed_pdf_not_appendable',
] as const;

export type PdfRefusal = (typeof pdfRefusals)[number];

export const MOST_PAGES = 500;
export const MOST_OBJECTS = 300_000;
