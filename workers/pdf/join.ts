/*
 * Several PDF files of Chromium as one. A long report is printed in parts, since Chromium's memory grows with the pages of
 * one file. Chromium writes plain objects and one cross-reference table (PDF 1.4), so that the objects of each part can be
 * renumbered: what no number stands in, the streams, stays as it is byte for byte.
 */

/** An object of a part: its number, and its bytes from behind `obj` to before `endobj`. */
type PdfObject = { number: number; body: Buffer };

type Part = { objects: PdfObject[]; size: number; root: number; info: number };

/**
 * One PDF with the pages of all parts in their order; catalog and information are those of the first part. A single part
 * is answered as it is. Throws for what is not a PDF as Chromium writes it.
 */
export function joinPdfs(files: readonly Buffer[]): Buffer {
  const [first, ...others] = files;
  if (!first) throw new Error('There is no PDF to join');
  if (others.length === 0) return first;
  const parts = files.map(partOf);
  const pages = parts.reduce((sum, { size }) => sum + size, 0);
  const written = newFile(pages + 1);
  const roots: { kids: number; count: number }[] = [];
  let offset = 0;
  for (const [place, part] of parts.entries()) {
    const kids = pagesOf(part);
    for (const { number, body } of part.objects) {
      const isKept = place === 0 || (number !== part.root && number !== part.info);
      if (!isKept) continue;
      let dictionary = renumbered(body, offset);
      if (number === kids.number) dictionary = withParent(dictionary, pages);
      if (place === 0 && number === part.root) dictionary = withPages(dictionary, pages);
      written.add(number + offset, dictionary);
    }
    roots.push({ kids: kids.number + offset, count: kids.count });
    offset += part.size;
  }
  const count = roots.reduce((sum, root) => sum + root.count, 0);
  const kids = roots.map((root) => `${root.kids} 0 R`).join(' ');
  written.add(pages, Buffer.from(`\n<</Type /Pages\n/Count ${count}\n/Kids [${kids}]>>\n`));
  return written.end(`/Root ${parts[0]!.root} 0 R\n/Info ${parts[0]!.info} 0 R`);
}

/** Reads a file by its table of objects. */
function partOf(file: Buffer): Part {
  const tail = file.toString('latin1', Math.max(0, file.length - TAIL));
  const trailer = /trailer\s*<<([^>]*)>>\s*startxref\s+(\d+)\s+%%EOF\s*$/.exec(tail);
  const entry = (name: string) => Number(new RegExp(`/${name} (\\d+)`).exec(trailer?.[1] ?? '')?.[1]);
  const [size, root, info] = [entry('Size'), entry('Root'), entry('Info')];
  const table = /^xref\s+0 (\d+)\s+/.exec(
    file.toString('latin1', Number(trailer?.[2]), Number(trailer?.[2]) + 40),
  );
  if (!table || !(size > 0) || !(root > 0) || !(info > 0))
    throw new Error('The PDF has no table that is known');
  const objects: PdfObject[] = [];
  for (let number = 1; number < size; number += 1) {
    const at = Number(trailer![2]) + table[0].length + number * ENTRY;
    const line = file.toString('latin1', at, at + ENTRY);
    if (line[17] === 'n') objects.push(objectAt(file, number, Number(line.slice(0, 10))));
  }
  return { objects, size, root, info };
}

/** Bytes at the end that hold the trailer, and those of an entry of the table. */
const TAIL = 2_000;
const ENTRY = 20;

function objectAt(file: Buffer, number: number, at: number): PdfObject {
  const head = `${number} 0 obj`;
  if (file.toString('latin1', at, at + head.length) !== head)
    throw new Error(`Object ${number} is not in its place`);
  const begin = at + head.length;
  const dictionary = dictionaryEnd(file, begin);
  const [, length] = /\/Length (\d+)/.exec(file.toString('latin1', begin, dictionary)) ?? [];
  const from =
    file.toString('latin1', dictionary, dictionary + 7) === ' stream' ? dictionary + Number(length) : begin;
  const end = file.indexOf('endobj', from);
  if (end < 0) throw new Error(`Object ${number} has no end`);
  return { number, body: file.subarray(begin, end) };
}

/** Where the dictionary of an object ends; its beginning, where it is none. */
function dictionaryEnd(file: Buffer, begin: number): number {
  const stream = file.indexOf('>> stream', begin);
  const end = file.indexOf('endobj', begin);
  return stream >= 0 && stream < end ? stream + 2 : begin;
}

/** The object with its references moved; a stream behind its dictionary stays. */
function renumbered(body: Buffer, offset: number): Buffer {
  const stream = body.indexOf('>> stream');
  const end = stream < 0 ? body.length : stream;
  const dictionary = body
    .toString('latin1', 0, end)
    .replace(/\((?:\\.|[^\\()])*\)|(\d+) 0 R/gs, (whole, number?: string) =>
      number === undefined ? whole : `${Number(number) + offset} 0 R`,
    );
  return Buffer.concat([Buffer.from(dictionary, 'latin1'), body.subarray(end)]);
}

/** The root of a part's tree of pages, and how many they are. */
function pagesOf({ objects, root }: Part): { number: number; count: number } {
  const textOf = (wanted: number) =>
    objects.find(({ number }) => number === wanted)?.body.toString('latin1') ?? '';
  const number = Number(/\/Pages (\d+) 0 R/.exec(textOf(root))?.[1]);
  const count = Number(/\/Count (\d+)/.exec(textOf(number))?.[1]);
  if (!(count > 0)) throw new Error('The PDF has no tree of pages');
  return { number, count };
}

function withParent(dictionary: Buffer, parent: number): Buffer {
  const text = dictionary.toString('latin1');
  return Buffer.from(text.replace(/>>\s*$/, `\n/Parent ${parent} 0 R>>\n`), 'latin1');
}

function withPages(dictionary: Buffer, pages: number): Buffer {
  return Buffer.from(
    dictionary.toString('latin1').replace(/\/Pages \d+ 0 R/, `/Pages ${pages} 0 R`),
    'latin1',
  );
}

/** A file that grows object by object, and its table. */
function newFile(size: number) {
  const chunks: Buffer[] = [Buffer.from('%PDF-1.4\n%\xd3\xeb\xe9\xe1\n', 'latin1')];
  const places = new Map<number, number>();
  let length = chunks[0]!.length;
  const push = (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
  };
  return {
    add(number: number, body: Buffer) {
      places.set(number, length);
      push(Buffer.from(`${number} 0 obj`));
      push(body);
      push(Buffer.from('endobj\n'));
    },
    end(references: string): Buffer {
      const entries = Array.from({ length: size }, (_, number) => {
        const place = places.get(number);
        return place === undefined
          ? `0000000000 65535 f \n`
          : `${String(place).padStart(10, '0')} 00000 n \n`;
      });
      const table = length;
      push(Buffer.from(`xref\n0 ${size}\n${entries.join('')}trailer\n<</Size ${size}\n${references}>>\n`));
      push(Buffer.from(`startxref\n${table}\n%%EOF\n`));
      return Buffer.concat(chunks);
    },
  };
}
