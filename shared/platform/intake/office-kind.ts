import { inflateRawSync } from 'node:zlib';

type OfficeKind = 'docx' | 'xlsx' | 'pptx';

const SIGNATURE = 'PK\u0003\u0004';

/** Bytes of a local file header of a zip archive before the name (APPNOTE.TXT 4.3.7). */
const LOCAL_HEADER = 30;

const CONTENT_TYPES = '[Content_Types].xml';

const FOLDERS: readonly (readonly [folder: string, kind: OfficeKind])[] = [
  ['word/', 'docx'],
  ['xl/', 'xlsx'],
  ['ppt/', 'pptx'],
];

const FORMATS: readonly (readonly [format: string, kind: OfficeKind])[] = [
  ['wordprocessingml', 'docx'],
  ['spreadsheetml', 'xlsx'],
  ['presentationml', 'pptx'],
];

/** Entries at the top and folders that all Office files may have (ECMA-376 part 2). */
const SHARED = /^(?:_rels|docProps|customXml|\[trash\])\//;

/**
 * Which Office document an archive is; null for another archive. All entries in these bytes have to be of such a
 * document: some programs write the list of content types first, others last, so its place proves nothing. The kind is
 * that of the list where it is here, otherwise that of the first folder.
 */
export function officeKindOf(head: Buffer): OfficeKind | null {
  let kind: OfficeKind | null = null;
  let isListRead = false;
  let at = 0;
  while (at >= 0 && at + LOCAL_HEADER <= head.length) {
    const end = at + LOCAL_HEADER + head.readUInt16LE(at + 26);
    const name = head.toString('utf8', at + LOCAL_HEADER, end);
    const known = FOLDERS.find(([folder]) => name.startsWith(folder))?.[1];
    if (name === CONTENT_TYPES) {
      // A document has one list. Thousands of them, each inflated to the end, would keep the process for minutes.
      if (!isListRead) kind ??= kindInList(head, at, end);
      isListRead = true;
    } else if (known) kind ??= known;
    else if (end <= head.length && !SHARED.test(name)) return null;
    // An archive in a part has headers too, which do not count; a part of unknown length ends before the next header.
    const size = head.readUInt32LE(at + 18);
    const next = end + head.readUInt16LE(at + 28) + size;
    at = head.indexOf(SIGNATURE, next, 'latin1');
  }
  return kind;
}

/** Bytes that the list of content types may have once inflated. */
const LONGEST_LIST = 1024 * 1024;

function kindInList(head: Buffer, at: number, end: number): OfficeKind | null {
  const start = end + head.readUInt16LE(at + 28);
  const size = head.readUInt32LE(at + 18);
  const packed = head.subarray(start, size === 0 ? undefined : start + size);
  const isDeflated = head.readUInt16LE(at + 8) === 8;
  try {
    const list = isDeflated ? inflateRawSync(packed, { maxOutputLength: LONGEST_LIST }) : packed;
    return (
      FORMATS.find(([format]) => list.includes(`.${format}.`) && list.includes('.main+xml'))?.[1] ?? null
    );
  } catch {
    return null;
  }
}
