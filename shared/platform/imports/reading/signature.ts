import { Failure } from '../../../kernel/failure.ts';
import { type ContentKind, contentKindOf } from '../../intake/content-kind.ts';

const ARCHIVE = 'The file is an Excel workbook or a zip archive: save or unpack it as CSV and send that';
const IMAGE = 'The file is an image: send the table itself, as CSV';

const OTHERS: Partial<Record<ContentKind, string>> = {
  zip: ARCHIVE,
  xlsx: ARCHIVE,
  docx: ARCHIVE,
  pptx: ARCHIVE,
  ole: 'The file is an old Excel workbook: save it as CSV and send that',
  gzip: 'The file is compressed: unpack it and send the CSV',
  pdf: 'The file is a PDF document: send the table itself, as CSV',
  png: IMAGE,
  jpeg: IMAGE,
  gif: IMAGE,
  webp: IMAGE,
  heic: IMAGE,
  tiff: IMAGE,
};

/**
 * Refuses a file that is not text, by its first bytes: workbooks, archives, documents, images, NUL bytes outside UTF-16.
 * Errors: `unsupported_media_type`.
 */
export function refuseOtherFiles(head: Uint8Array, isWide: boolean): void {
  const detail = OTHERS[contentKindOf(Buffer.from(head.buffer, head.byteOffset, head.byteLength))];
  if (detail !== undefined) throw new Failure('unsupported_media_type', { detail });
  const nul = isWide ? -1 : head.indexOf(0);
  if (nul < 0) return;
  throw new Failure('unsupported_media_type', {
    detail: `The file is not text: byte ${nul}, counted from 0, is NUL. UTF-16 needs a byte-order mark, or encoding utf-16`,
  });
}
