import { Readable } from 'node:stream';
import { type Reader, systemActor } from '../../shared/kernel/reader.ts';
import { exportFileName } from '../../shared/platform/exports/file.ts';
import type { ErrorLanguage } from '../../shared/platform/imports/cell-errors.ts';
import { errorReport } from '../../shared/platform/imports/error-report.ts';
import type { Named } from '../../shared/platform/imports/run/checkpoint.ts';
import { keepJobFile } from '../../shared/platform/jobs/files.ts';
import { startJob, succeedJob } from '../../shared/platform/jobs/operations.ts';
import { discardFile, storeFile } from '../../shared/platform/storage/loose-files.ts';
import type { Storage } from '../../shared/platform/storage/storage.ts';
import type { Handler } from '../kernel/handler.ts';

/** Far beyond what the rows of the largest file need. */
const MOST_BYTES = 2 * 1024 ** 3;

const NAMES: Record<ErrorLanguage, string> = { en: 'import_errors', ja: '取込エラー' };

/** Writes the faulty rows of an import to a file that a spreadsheet opens; another try writes it anew. */
export function writeErrorReport({
  storage,
}: {
  storage: Storage;
}): Handler<Named & { lang: ErrorLanguage }> {
  return async (
    { import_id, job_id, lang },
    { database, organization_id, delivery_id, clock, part, settle, signal },
  ) => {
    let isOpen = false;
    await part(async (work) => {
      isOpen = await startJob(work, job_id);
    });
    if (!isOpen) return;
    const now = clock();
    const withReader = <T>(read: (reader: Reader) => Promise<T>) =>
      database.withConnection(
        organization_id,
        (connection) =>
          read({
            connection,
            organization_id,
            actor: systemActor,
            now,
            request_id: delivery_id,
            ip_address: null,
          }),
        signal,
      );
    const files = { database, storage };
    const body = Readable.from(errorReport(withReader, import_id, lang), { objectMode: false });
    const area = `reports/${job_id}`;
    const stored = await storeFile(files, { organization_id, area, body, limit: MOST_BYTES, now });
    try {
      await settle(async (work) => {
        if (!(await succeedJob(work, job_id, { import_id, size: stored.size }))) return;
        const file_name = exportFileName(NAMES[lang], now, job_id);
        await keepJobFile(work, job_id, { ...stored, file_name, media_type: 'text/csv; charset=utf-8' });
      });
    } finally {
      // Removes nothing that was kept.
      await discardFile(files, organization_id, stored.storage_key).catch(() => undefined);
    }
  };
}
