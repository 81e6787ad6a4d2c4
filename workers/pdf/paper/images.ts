import { html } from 'ghtml';
import type { PrintImage } from '../../../shared/invoicing/print/model.ts';

/** The bytes of the images that a page shows, by their SHA-256 (hexadecimal). */
export type PaperImages = ReadonlyMap<string, PaperImage>;

export type PaperImage = { media_type: 'image/png' | 'image/jpeg'; bytes: Uint8Array };

/** An image inside of the page, so that nothing has to be loaded; nothing where the page has none. */
export function imageOf(image: PrintImage | null, images: PaperImages, shown: { as: string; alt: string }) {
  if (!image) return '';
  const found = images.get(image.sha256);
  if (!found) throw new Error(`The image ${image.sha256} of the page is not there`);
  const data = Buffer.from(found.bytes.buffer, found.bytes.byteOffset, found.bytes.byteLength).toString(
    'base64',
  );
  const { as, alt } = shown;
  return html`<img class="${as}" alt="${alt}" width="${image.width}" height="${image.height}"
    src="data:${found.media_type};base64,${data}">`;
}
