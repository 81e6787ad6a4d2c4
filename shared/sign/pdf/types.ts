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

/** What drawing needs of a field. `page` is from 1; x, y, w, h are fractions of the page as seen. */
export type PlacedField = {
  id: string;
  type: string;
  page: number;
  x: number;
  y: number;
  w: number;
  h: number;
  font_size: number;
};

/** A value of a field as it is stored. Images are PNG or JPEG in base64; strokes have points of the box, from 0 to 1. */
export type PlacedValue =
  | string
  | boolean
  | { kind: 'typed' | 'text'; text: string }
  | { kind: 'drawn'; strokes: [x: number, y: number][][] }
  | { kind: 'image'; data: string };

/** A file that is attached to a PDF. `at` is when it was made. */
export type Attachment = {
  name: string;
  description: string;
  media_type: string;
  content: Uint8Array;
  at: string;
};

/** What is drawn into a PDF. `values` are by the field's id; a field without one stays empty. */
export type DrawingOrder = {
  pdf: Uint8Array;
  fields: readonly PlacedField[];
  values: Readonly<Record<string, PlacedValue | null>>;
  /** The PDF has signatures: everything is appended to it, as annotations, and no page is changed. */
  is_signed: boolean;
  /** A PDF of our own, whose pages come after the others. Not for one that is signed. */
  append: Uint8Array | null;
  attachment: Attachment | null;
};

/** The same as the process of the reader gets it: the sizes of the files, which follow. */
export type DrawingQuestion = Pick<DrawingOrder, 'fields' | 'values' | 'is_signed'> & {
  pdf: number;
  append: number | null;
  attachment: (Omit<Attachment, 'content'> & { size: number }) | null;
};
