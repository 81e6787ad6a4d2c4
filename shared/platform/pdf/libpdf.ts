/**
 * The one place that loads `@libpdf/core`, so that what the service uses of it can be seen, and so that nothing else opens a
 * file with it: only the processes of readers import this file.
 */
export {
  type EmbeddedFont,
  PDF,
  PdfArray,
  PdfDict,
  PdfName,
  PdfNumber,
  type PdfObject,
  PdfRef,
  PdfStream,
  PdfString,
} from '@libpdf/core';
