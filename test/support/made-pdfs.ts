/** An object of a PDF that a test writes: its text, or a dictionary's entries with the bytes of a stream. */
export type MadeObject = string | { entries: string; stream: Buffer };

/**
 * A PDF of these objects, numbered from 1, the first being the catalog, with a table of references. `trailer` are more
 * entries of its trailer.
 */
export function pdfOf(objects: readonly MadeObject[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xd3\xeb\xe9\xe1\n', 'latin1')];
  const offsets: number[] = [];
  let size = parts[0]!.length;
  const add = (part: Buffer) => {
    parts.push(part);
    size += part.length;
  };
  for (const [index, object] of objects.entries()) {
    offsets.push(size);
    add(Buffer.from(`${index + 1} 0 obj\n`));
    if (typeof object === 'string') add(Buffer.from(object, 'latin1'));
    else {
      add(Buffer.from(`<< ${object.entries} /Length ${object.stream.length} >>\nstream\n`, 'latin1'));
      add(object.stream);
      add(Buffer.from('\nendstream'));
    }
    add(Buffer.from('\nendobj\n'));
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${size}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(table + end)]);
}

export type MadePage = { media?: string; crop?: string; rotate?: number; text?: string; entries?: string };

/** A PDF of these pages, with `text` in Helvetica on each; `catalog` are more entries of its catalog. */
export function pdfOfPages(
  pages: readonly MadePage[],
  catalog = '',
  more: readonly MadeObject[] = [],
): Buffer {
  const first = 4 + more.length;
  const kids = pages.map((_, index) => `${first + index * 2} 0 R`).join(' ');
  return pdfOf([
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...more,
    ...pages.flatMap((page, index) => pageObjects(page, first + index * 2)),
  ]);
}

function pageObjects(
  { media, crop, rotate, text = 'Agreement', entries = '' }: MadePage,
  number: number,
): MadeObject[] {
  const boxes = `/MediaBox [${media ?? '0 0 595 842'}] ${crop ? `/CropBox [${crop}]` : ''}`;
  const turned = rotate === undefined ? '' : `/Rotate ${rotate}`;
  const resources = '/Resources << /Font << /F1 3 0 R >> >>';
  return [
    `<< /Type /Page /Parent 2 0 R ${boxes} ${turned} ${resources} /Contents ${number + 1} 0 R ${entries} >>`,
    { entries: '', stream: Buffer.from(`BT /F1 12 Tf 60 300 Td (${text}) Tj ET`) },
  ];
}
