import { Failure } from '../../../kernel/failure.ts';
import type { Text } from '../../../kernel/language.ts';
import { type ContentKind, contentKindOf } from '../../intake/content-kind.ts';
import { refusalsOfFile } from './refusals.ts';

const ARCHIVE = {
  en: 'The file is an Excel workbook or a zip archive: save or unpack it as CSV and send that',
  ja: 'ファイルがExcelブックまたはzip書庫です。CSVとして保存または展開してから送信してください',
};
const IMAGE = {
  en: 'The file is an image: send the table itself, as CSV',
  ja: 'ファイルが画像です。表そのものをCSVで送信してください',
};

const OTHERS: Partial<Record<ContentKind, Text>> = {
  zip: ARCHIVE,
  xlsx: ARCHIVE,
  docx: ARCHIVE,
  pptx: ARCHIVE,
  ole: {
    en: 'The file is an old Excel workbook: save it as CSV and send that',
    ja: 'ファイルが旧形式のExcelブックです。CSVとして保存してから送信してください',
  },
  gzip: {
    en: 'The file is compressed: unpack it and send the CSV',
    ja: 'ファイルが圧縮されています。展開してCSVを送信してください',
  },
  pdf: {
    en: 'The file is a PDF document: send the table itself, as CSV',
    ja: 'ファイルがPDFです。表そのものをCSVで送信してください',
  },
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
  throw new Failure('unsupported_media_type', { detail: refusalsOfFile.nul(nul) });
}
