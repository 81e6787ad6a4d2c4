import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A piece of text on a page: where its baseline begins, from the lower left corner, and its size, in points. */
export type PdfText = {
  text: string;
  x: number;
  y: number;
  width: number;
  size: number;
  is_upright: boolean;
};

/** What a page says. `lines` are read from top to bottom and from left to right. */
export type PdfPage = { width: number; height: number; texts: PdfText[]; lines: string[] };

/** The pages of a PDF, as a reader of today finds their texts. */
export async function pdfPages(bytes: Uint8Array): Promise<PdfPage[]> {
  return withDocument(bytes, async (document) => {
    const pages: PdfPage[] = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      const { width, height } = page.getViewport({ scale: 1 });
      const { items } = await page.getTextContent();
      const texts = items.flatMap((item) => ('str' in item && item.str.trim() !== '' ? [textOf(item)] : []));
      pages.push({ width, height, texts, lines: linesOf(texts) });
    }
    return pages;
  });
}

/** A picture (PNG) of a page, the first of which is 1; `dots` an inch. */
export async function pdfPicture(bytes: Uint8Array, number: number, dots: number): Promise<Buffer> {
  return withDocument(bytes, async (document) => {
    const page = await document.getPage(number);
    const viewport = page.getViewport({ scale: dots / 72 });
    const made = document.canvasFactory as { create(width: number, height: number): { canvas: Canvas } };
    const { canvas } = made.create(Math.round(viewport.width), Math.round(viewport.height));
    await page.render({ canvas: canvas as never, viewport }).promise;
    return canvas.toBuffer('image/png');
  });
}

type Canvas = { toBuffer(type: 'image/png'): Buffer };

async function withDocument<T>(
  bytes: Uint8Array,
  read: (document: PDFDocumentProxy) => Promise<T>,
): Promise<T> {
  // pdf.js takes the buffer away: it gets a copy.
  const loading = getDocument({ data: new Uint8Array(bytes), verbosity: 0 });
  try {
    return await read(await loading.promise);
  } finally {
    await loading.destroy();
  }
}

function textOf({ str, transform, width }: { str: string; transform: number[]; width: number }): PdfText {
  const [a, b, , d, x, y] = transform as [number, number, number, number, number, number];
  return { text: str, x, y, width, size: Math.hypot(b, d) || Math.abs(a), is_upright: b === 0 };
}

/** Texts whose baselines are less than this apart, in points, stand on one line. */
const SAME = 1.5;

function linesOf(texts: readonly PdfText[]): string[] {
  const lines: PdfText[][] = [];
  for (const text of texts
    .filter(({ is_upright }) => is_upright)
    .toSorted((a, b) => b.y - a.y || a.x - b.x)) {
    const line = lines.at(-1);
    if (line && line[0]!.y - text.y < SAME) line.push(text);
    else lines.push([text]);
  }
  return lines.map((line) =>
    line
      .toSorted((a, b) => a.x - b.x)
      .map(({ text }) => text.trim())
      .join(' '),
  );
}
