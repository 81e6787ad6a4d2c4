import { markupOf } from './markup.ts';
import { officeKindOf } from './office-kind.ts';

/** What the beginning of a file can be told to be, and the media type of it. `text` may be CSV, an e-mail, and the like. */
export const contentKinds = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  tiff: 'image/tiff',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  zip: 'application/zip',
  gzip: 'application/gzip',
  ole: 'application/x-ole-storage',
  executable: 'application/x-executable',
  script: 'text/x-shellscript',
  html: 'text/html',
  svg: 'image/svg+xml',
  xml: 'application/xml',
  text: 'text/plain',
  binary: 'application/octet-stream',
} as const;

export type ContentKind = keyof typeof contentKinds;

/**
 * What a file is, by its first bytes alone (up to 1 MiB; all of a shorter one): neither its name nor its declared type
 * is believed. A file that is several things at once counts as the one that a browser would run first.
 */
export function contentKindOf(head: Buffer): ContentKind {
  const signature = SIGNATURES.find(([, starts]) => starts(head))?.[0];
  if (signature === 'zip') return officeKindOf(head) ?? 'zip';
  if (signature) return signature;
  const isText = isDecodable(head);
  const marked = markupOf(head);
  if (marked) return marked;
  if (isText) return 'text';
  // Readers of PDF look for its header in the first 1,024 bytes (ISO 32000-1, Annex H, note 13).
  return head.subarray(0, 1_024).includes('%PDF-') ? 'pdf' : 'binary';
}

type Starts = (head: Buffer) => boolean;

const startsWith =
  (hex: string, offset = 0): Starts =>
  (head) =>
    head.subarray(offset, offset + hex.length / 2).toString('hex') === hex;

const HEIC_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']);

/** In this order; two letters alone begin texts too, so programs for Windows must also have a NUL near. */
const SIGNATURES: readonly [ContentKind, Starts][] = [
  ['pdf', startsWith('255044462d')],
  ['png', startsWith('89504e470d0a1a0a')],
  ['jpeg', startsWith('ffd8ff')],
  ['gif', (head) => /^GIF8[79]a$/.test(head.toString('latin1', 0, 6))],
  ['webp', (head) => /^RIFF.{4}WEBP$/s.test(head.toString('latin1', 0, 12))],
  [
    'heic',
    (head) => head.toString('latin1', 4, 8) === 'ftyp' && HEIC_BRANDS.has(head.toString('latin1', 8, 12)),
  ],
  ['tiff', (head) => ['49492a00', '4d4d002a'].includes(head.toString('hex', 0, 4))],
  // An archive, one without files in it, and the first part of one that was divided.
  ['zip', (head) => ['504b0304', '504b0506', '504b0708'].includes(head.toString('hex', 0, 4))],
  ['gzip', startsWith('1f8b')],
  ['ole', startsWith('d0cf11e0a1b11ae1')],
  ['executable', (head) => head.toString('latin1', 0, 2) === 'MZ' && head.subarray(0, 64).includes(0)],
  ['executable', startsWith('7f454c46')],
  ['executable', (head) => MACH_O.has(head.toString('hex', 0, 4)) && head.subarray(0, 64).includes(0)],
  ['script', (head) => /^#! *\//.test(head.toString('latin1', 0, 16))],
];

const MACH_O = new Set(['feedface', 'feedfacf', 'cefaedfe', 'cffaedfe', 'cafebabe']);

/** UTF-8, UTF-16 with a mark, or Shift_JIS, without NUL. The head may end within a letter. */
function isDecodable(head: Buffer): boolean {
  if (['fffe', 'feff'].includes(head.toString('hex', 0, 2))) return true;
  return !head.includes(0) && ['utf-8', 'shift_jis'].some((encoding) => isIn(encoding, head));
}

function isIn(encoding: string, head: Buffer): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
