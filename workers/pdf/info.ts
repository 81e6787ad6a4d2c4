/** What a reader of PDF files shows about one. */
export type Info = { title: string; author?: string };

/**
 * The same PDF with its title and author: Chromium writes no author. They are added at the end, as ISO 32000-1, 7.5.6
 * has it: the information dictionary once more, and a reference table with it alone. Throws for what is not a PDF as
 * Chromium writes it.
 */
export function withInfo(pdf: Uint8Array, { title, author }: Info): Buffer {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  const tail = bytes.toString('latin1', Math.max(0, bytes.length - TAIL));
  const trailer = /trailer\s*<<([^>]*)>>\s*startxref\s+(\d+)\s+%%EOF\s*$/.exec(tail);
  const [, size] = /\/Size (\d+)/.exec(trailer?.[1] ?? '') ?? [];
  const [, root] = /\/Root (\d+ \d+ R)/.exec(trailer?.[1] ?? '') ?? [];
  const [, number] = /\/Info (\d+) 0 R/.exec(trailer?.[1] ?? '') ?? [];
  if (!trailer || !size || !root || !number) throw new Error('The PDF has no trailer that is known');
  const given = infoOf(bytes, number);
  const entries = {
    ...given,
    Title: hexadecimal(title),
    ...(author !== undefined && { Author: hexadecimal(author) }),
  };
  const dictionary = Object.entries(entries).map(([name, value]) => `/${name} ${value}`);
  const object = `\n${number} 0 obj\n<<${dictionary.join('\n')}>>\nendobj\n`;
  const begin = bytes.length + 1;
  const table = bytes.length + object.length;
  const end = `xref
${number} 1
${String(begin).padStart(10, '0')} 00000 n${' '}
trailer
<</Size ${size}
/Root ${root}
/Info ${number} 0 R
/Prev ${trailer[2]}>>
startxref
${table}
%%EOF
`;
  return Buffer.concat([bytes, Buffer.from(object + end, 'latin1')]);
}

/** The PDF as Chromium wrote it, without what `withInfo` has added; another one as it is. */
export function withoutInfo(pdf: Buffer): Buffer {
  const tail = pdf.toString('latin1', Math.max(0, pdf.length - TAIL));
  const added =
    /xref\n\d+ 1\n(\d{10}) 00000 n \ntrailer\n<<[^>]*\/Prev \d+>>\s+startxref\s+\d+\s+%%EOF\s*$/.exec(tail);
  return added ? pdf.subarray(0, Number(added[1]) - 1) : pdf;
}

/** Bytes at the end that hold the trailer. */
const TAIL = 2_000;

/** The entries that are there already, but for texts of our own. */
function infoOf(bytes: Buffer, number: string): Record<string, string> {
  const begin = bytes.indexOf(`\n${number} 0 obj\n`);
  const text = begin < 0 ? '' : bytes.toString('latin1', begin, bytes.indexOf('endobj', begin));
  const found = text.matchAll(/\/(Creator|Producer|CreationDate|ModDate) (\([^()\\]*\))/g);
  return Object.fromEntries([...found].map(([, name, value]) => [name, value]));
}

/** A text string in UTF-16 (ISO 32000-1, 7.9.2.2), written so that nothing in it can mean anything else. */
function hexadecimal(text: string): string {
  return `<FEFF${Buffer.from(text.toWellFormed(), 'utf16le').swap16().toString('hex').toUpperCase()}>`;
}
