import { readFileSync } from 'node:fs';
import { type EmbeddedFont, type PDF, PdfDict, type PdfRef } from '../../../platform/pdf/libpdf.ts';
import type { Resources } from '../drawing/operators.ts';
import { type FontName, fontFile } from '../fonts/fonts.ts';

const files = new Map<FontName, Buffer>();

/** What values are drawn with in one PDF: each font and each image is embedded once, when it is first drawn. */
export class EmbeddedResources {
  private readonly fonts = new Map<FontName, EmbeddedFont>();
  private readonly images = new Map<string, { ref: PdfRef; width: number; height: number }>();
  private readonly pdf: PDF;

  constructor(pdf: PDF) {
    this.pdf = pdf;
  }

  /** The resources of one content stream. `dictionary` gets what it uses, under names that nobody has there. */
  into(dictionary: PdfDict): Resources {
    const names = new Map<PdfRef, string>();
    const named = (kind: 'Font' | 'XObject', prefix: string, ref: PdfRef): string => {
      const known = names.get(ref);
      if (known) return known;
      const entries = ownEntries(this.pdf, dictionary, kind);
      let name = `${prefix}${names.size}`;
      for (let n = names.size; entries.has(name); n += 1) name = `${prefix}${n}`;
      entries.set(name, ref);
      names.set(ref, name);
      return name;
    };
    return {
      font: ({ font, text }) => {
        const embedded = this.font(font);
        const glyphs = embedded.encodeTextToGids(text);
        return {
          name: named('Font', 'SignF', embedded.ref),
          glyphs: glyphs.map((glyph) => glyph.toString(16).padStart(4, '0')).join(''),
        };
      },
      image: (data) => {
        const { ref, width, height } = this.image(data);
        return { name: named('XObject', 'SignI', ref), width, height };
      },
    };
  }

  private font(name: FontName): EmbeddedFont {
    const font = this.fonts.get(name) ?? this.pdf.embedFont(fontBytes(name));
    this.fonts.set(name, font);
    return font;
  }

  private image(data: string): { ref: PdfRef; width: number; height: number } {
    const image = this.images.get(data) ?? this.pdf.embedImage(Buffer.from(data, 'base64'));
    this.images.set(data, image);
    return image;
  }
}

/** A copy of the entries of one kind, so that no other page that shares them is changed. */
function ownEntries(pdf: PDF, dictionary: PdfDict, kind: string): PdfDict {
  const found = dictionary.get(kind, (ref) => pdf.getObject(ref));
  const own = found instanceof PdfDict ? found.clone() : new PdfDict();
  dictionary.set(kind, own);
  return own;
}

function fontBytes(name: FontName): Buffer {
  const bytes = files.get(name) ?? readFileSync(fontFile(name));
  files.set(name, bytes);
  return bytes;
}
