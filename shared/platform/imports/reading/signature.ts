import { Failure } from '../../../kernel/failure.ts';

const ARCHIVE = 'The file is an Excel workbook or a zip archive: save or unpack it as CSV and send that';

const SIGNATURES: { bytes: number[]; detail: string }[] = [
  // A zip archive, one without files in it, and the first part of one that was divided.
  { bytes: [0x50, 0x4b, 0x03, 0x04], detail: ARCHIVE },
  { bytes: [0x50, 0x4b, 0x05, 0x06], detail: ARCHIVE },
  { bytes: [0x50, 0x4b, 0x07, 0x08], detail: ARCHIVE },
  {
    bytes: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1],
    detail: 'The file is an old Excel workbook: save it as CSV and send that',
  },
  { bytes: [0x1f, 0x8b], detail: 'The file is compressed: unpack it and send the CSV' },
];

/**
 * Refuses a file that is not text, by its first bytes: workbooks, archives, NUL bytes outside UTF-16.
 * Errors: `unsupported_media_type`.
 */
export function refuseOtherFiles(head: Uint8Array, isWide: boolean): void {
  const signature = SIGNATURES.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte));
  if (signature !== undefined) throw new Failure('unsupported_media_type', { detail: signature.detail });
  const nul = isWide ? -1 : head.indexOf(0);
  if (nul < 0) return;
  throw new Failure('unsupported_media_type', {
    detail: `The file is not text: byte ${nul}, counted from 0, is NUL. UTF-16 needs a byte-order mark, or encoding utf-16`,
  });
}
