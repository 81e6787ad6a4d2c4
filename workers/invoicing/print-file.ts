import { Readable } from 'node:stream';
import { imageBytes } from '../../shared/invoicing/images/bytes.ts';
import type { Print, PrintImage } from '../../shared/invoicing/print/model.ts';
import { type Files, storeFile } from '../../shared/platform/storage/loose-files.ts';
import type { Storage, Written } from '../../shared/platform/storage/storage.ts';
import type { Delivery } from '../kernel/handler.ts';
import type { PaperImage, PaperImages } from '../pdf/paper/images.ts';
import { renderPdf } from '../pdf/render-pdf.ts';
import type { Renderer } from '../pdf/renderer.ts';

export type RenderOptions = { storage: Storage; renderer: Renderer };

export type RenderedFile = Written & { storage_key: string };

/** Bytes that a PDF may have; one of 1,000 lines has less than 3 MB. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Renders a print, stores the file and hands it to `settle`, which keeps it; otherwise a sweep removes it later. */
export async function withPrintFile(
  { storage, renderer }: RenderOptions,
  print: Print,
  { database, organization_id, signal, clock }: Delivery,
  settle: (file: RenderedFile) => Promise<void>,
): Promise<void> {
  const files: Files = { database, storage };
  const images = await imagesOf(files, organization_id, print);
  const body = Readable.from([await renderPdf(renderer, { print, images }, signal)], { objectMode: false });
  const asked = { organization_id, area: 'documents', body, limit: MOST_BYTES, now: clock() };
  await settle(await storeFile(files, asked));
}

async function imagesOf(files: Files, organization_id: string, { issuer }: Print): Promise<PaperImages> {
  const named = [issuer.logo, issuer.seal].filter((image): image is PrintImage => image !== null);
  const found = named.map(async ({ sha256 }) => {
    const { bytes, media_type } = await imageBytes(files, organization_id, sha256);
    return [sha256, { bytes, media_type: media_type as PaperImage['media_type'] }] as const;
  });
  return new Map(await Promise.all(found));
}
