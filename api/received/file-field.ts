import { MOST_FILE_BYTES, MOST_UPLOADS, receivedContents } from '../../shared/received/files/record.ts';
import type { FileField } from '../http/files/declarations.ts';

/** The files of a form about received documents. */
export const FILE_FIELD: FileField = {
  field: 'file',
  limit: MOST_FILE_BYTES,
  most: MOST_UPLOADS,
  keep: true,
  accepts: receivedContents,
  description: 'PDF, JPEG, PNG, WebP, HEIC or XLSX by its content; XML, CSV or EML by its name, being text.',
};
