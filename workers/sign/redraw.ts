import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { z } from 'zod';
import { systemActor } from '../../shared/kernel/reader.ts';
import { storeFile } from '../../shared/platform/storage/loose-files.ts';
import type { Storage } from '../../shared/platform/storage/storage.ts';
import { drawForSeal } from '../../shared/sign/pdf/draw.ts';
import type { redrawDocumentJob } from '../../shared/sign/redrawn/jobs.ts';
import { redrawingToMake, settleRedrawing } from '../../shared/sign/redrawn/redrawn.ts';
import type { Handler } from '../kernel/handler.ts';

/** Bytes that a redrawn file may have: an upload and its images. */
const MOST_BYTES = 96 * 1024 * 1024;

/** Draws what guests see of a document, for the values that it has now, and keeps the file for as long as they stand. */
export function redrawDocument({
  storage,
}: {
  storage: Storage;
}): Handler<z.output<typeof redrawDocumentJob.payload>> {
  return async ({ document_id }, { database, organization_id, signal, clock, settle }) => {
    const asked = await database.withConnection(organization_id, (connection) =>
      redrawingToMake(
        { connection, organization_id, actor: systemActor, now: clock(), request_id: null, ip_address: null },
        document_id,
      ),
    );
    if (!asked) return;
    const pdf = await buffer(await storage.read(asked.original.storage_key));
    const drawn = await drawForSeal({ ...asked.drawing, pdf, append: null, attachment: null }, signal);
    const body = Readable.from([drawn], { objectMode: false });
    const file = await storeFile(
      { database, storage },
      { organization_id, area: 'sign', body, limit: MOST_BYTES, now: clock() },
    );
    await settle((work) => settleRedrawing(work, document_id, asked, file));
  };
}
