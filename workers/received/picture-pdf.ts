/** A picture as a PDF holds it: compressed as a JPEG, or as the rows of a PNG; grey (1) or red, green and blue (3). */
export type PrintedImage = {
  width: number;
  height: number;
  channels: 1 | 3;
  filter: 'jpeg' | 'png';
  bytes: Buffer;
};

/** A4 in points. */
const [SHORT, LONG] = [595.28, 841.89];

/**
 * A PDF of one A4 page that a picture fills as far as its shape lets it, upright or across; one of few pixels is no larger than a
 * point for each. The same picture makes the same bytes.
 */
export function picturePdf(image: PrintedImage): Buffer {
  const { width, height, bytes } = image;
  const [page_width, page_height] = width > height ? [LONG, SHORT] : [SHORT, LONG];
  const scale = Math.min(page_width / width, page_height / height, 1);
  const [shown_width, shown_height] = [width * scale, height * scale];
  const place = [
    shown_width,
    0,
    0,
    shown_height,
    (page_width - shown_width) / 2,
    (page_height - shown_height) / 2,
  ];
  const content = Buffer.from(`q ${place.map(point).join(' ')} cm /Picture Do Q`);
  return pdfOf([
    [Buffer.from('<< /Type /Catalog /Pages 2 0 R >>')],
    [Buffer.from('<< /Type /Pages /Count 1 /Kids [3 0 R] >>')],
    [
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${page_width} ${page_height}] /Contents 4 0 R ` +
          '/Resources << /XObject << /Picture 5 0 R >> >> >>',
      ),
    ],
    stream('', content),
    stream(imageEntries(image), bytes),
  ]);
}

/** What a PDF says of a picture (ISO 32000-1, 8.9.5, and 7.4.4.4 for the rows of a PNG). */
function imageEntries({ width, height, channels, filter }: PrintedImage): string {
  const rows = `/DecodeParms << /Predictor 15 /Colors ${channels} /BitsPerComponent 8 /Columns ${width} >>`;
  return [
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8`,
    `/ColorSpace ${channels === 1 ? '/DeviceGray' : '/DeviceRGB'}`,
    filter === 'jpeg' ? '/Filter /DCTDecode' : `/Filter /FlateDecode ${rows}`,
  ].join(' ');
}

function stream(entries: string, bytes: Buffer): Buffer[] {
  const head = `<< ${entries} /Length ${bytes.length} >>\nstream\n`;
  return [Buffer.from(head), bytes, Buffer.from('\nendstream')];
}

/** A file of these objects, numbered from 1, the first being the catalog, with its table of references (7.5). */
function pdfOf(objects: readonly (readonly Buffer[])[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xd3\xeb\xe9\xe1\n', 'latin1')];
  let size = parts[0]!.length;
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(size);
    const whole = [Buffer.from(`${index + 1} 0 obj\n`), ...object, Buffer.from('\nendobj\n')];
    parts.push(...whole);
    size += whole.reduce((sum, { length }) => sum + length, 0);
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${rows}`;
  const end = `trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${size}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(table + end)]);
}

const point = (value: number) => Number(value.toFixed(3));
