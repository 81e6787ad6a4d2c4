import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { keepJobFile } from '../../shared/platform/jobs/files.ts';
import { forgetGenerated } from '../../shared/platform/jobs/generated.ts';
import { progressJob, startJob, succeedJob } from '../../shared/platform/jobs/operations.ts';
import { reasons } from '../../shared/platform/operators/reasons.ts';
import { storeFile } from '../../shared/platform/storage/loose-files.ts';
import { type Storage, StoredFileMissing } from '../../shared/platform/storage/storage.ts';
import {
  endPrint,
  notePictureUnreadable,
  type PrintedPicture,
  type ReceivedPrint,
  receivedPrint,
} from '../../shared/received/pdf/prints.ts';
import type { RecordSheet } from '../../shared/received/pdf/sheet.ts';
import { type Delivery, type Handler, PermanentFailure } from '../kernel/handler.ts';
import { withInfo } from '../pdf/info.ts';
import { printPage } from '../pdf/print-page.ts';
import type { Renderer } from '../pdf/renderer.ts';
import { printedImage } from './picture.ts';
import { picturePdf } from './picture-pdf.ts';
import { SHEET_MARK, sheetPage } from './sheet-page.ts';

export type RenderOptions = { storage: Storage; renderer: Renderer };

/** Bytes that a PDF may have: a picture of 50 MiB whose rows compress badly. */
const MOST_BYTES = 256 * 1024 ** 2;

/**
 * Renders what a request for the PDF of a received document waits for; its file is that of the job, and goes when that does. A
 * picture that cannot be decoded is noted, and the sheet is printed instead; so it is where the decoder crashed, which is not
 * noted: the next request tries the picture again.
 */
export function renderReceived(options: RenderOptions): Handler<{ job_id: string }> {
  return async ({ job_id }, delivery) => {
    const { is_open, print } = await begin(job_id, delivery);
    if (!is_open) return delivery.settle(async (work) => endPrint(work, job_id));
    if (!print) throw new PermanentFailure(reasons.asked_too_long_ago().en);
    const { pdf, picture_failed } = await rendered(options, print, delivery.signal);
    const is_sheet = !print.picture || picture_failed !== null;
    if (picture_failed === 'crashed') {
      delivery.log.warn({ file_id: print.picture!.file_id }, 'The decoder of a picture crashed');
    }
    const { database, organization_id, clock } = delivery;
    const body = Readable.from([pdf], { objectMode: false });
    const asked = { organization_id, area: 'documents', body, limit: MOST_BYTES, now: clock() };
    const file = await storeFile({ database, storage: options.storage }, asked);
    const file_name = (is_sheet ? null : print.file_names.picture) ?? print.file_names.sheet;
    await delivery.settle(async (work) => {
      endPrint(work, job_id);
      if (picture_failed === 'unreadable') notePictureUnreadable(work, print.picture!);
      if (picture_failed !== null) {
        forgetGenerated(work, job_id, { unless: print.sheet_key });
      }
      if (!(await progressJob(work, job_id, { done: 1, total: 1 }))) return;
      await keepJobFile(work, job_id, { ...file, file_name, media_type: 'application/pdf' });
      await succeedJob(work, job_id, { sha256: file.sha256, size: file.size });
    });
  };
}

async function begin(
  job_id: string,
  delivery: Delivery,
): Promise<{ is_open: boolean; print: ReceivedPrint | null }> {
  let is_open = false;
  let print: ReceivedPrint | null = null;
  await delivery.part(async (work) => {
    is_open = await startJob(work, job_id);
    print = await receivedPrint(work, job_id);
  });
  return { is_open, print };
}

async function rendered(
  { storage, renderer }: RenderOptions,
  { picture, sheet }: ReceivedPrint,
  signal: AbortSignal,
): Promise<{ pdf: Buffer; picture_failed: 'unreadable' | 'crashed' | null }> {
  const image =
    picture && (await printedImage(await bytesOf(storage, picture), picture.content_type, signal));
  if (image && typeof image !== 'string') return { pdf: picturePdf(image), picture_failed: null };
  return { pdf: await sheetPdf(renderer, sheet, signal), picture_failed: image };
}

async function bytesOf(storage: Storage, { storage_key, file_id }: PrintedPicture): Promise<Buffer> {
  try {
    return await buffer(await storage.read(storage_key));
  } catch (error) {
    if (!(error instanceof StoredFileMissing)) throw error;
    const message = reasons.original_missing(file_id).en;
    throw new PermanentFailure(message, { code: 'file_missing' });
  }
}

async function sheetPdf(renderer: Renderer, sheet: RecordSheet, signal: AbortSignal): Promise<Buffer> {
  const html = sheetPage(sheet);
  const pdf = await renderer.render(async (page) => {
    await page.setContent(html);
    return printPage(page);
  }, signal);
  return withInfo(pdf, { title: `${SHEET_MARK} ${sheet.title.ja}`, author: sheet.organization });
}
