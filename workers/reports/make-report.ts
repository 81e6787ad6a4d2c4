import { Readable } from 'node:stream';
import { withBulk } from '../../shared/db/bulk.ts';
import { cursorRows } from '../../shared/db/cursor.ts';
import { type Actor, type Reader, systemActor } from '../../shared/kernel/reader.ts';
import { exportFileName } from '../../shared/platform/exports/file.ts';
import { keepJobFile } from '../../shared/platform/jobs/files.ts';
import { forgetGenerated } from '../../shared/platform/jobs/generated.ts';
import { startJob, succeedJob } from '../../shared/platform/jobs/operations.ts';
import { reasons } from '../../shared/platform/operators/reasons.ts';
import type { ReportOrder } from '../../shared/platform/reports/jobs.ts';
import type { FetchRows, FileOfRows, Report } from '../../shared/platform/reports/report.ts';
import { reportKey } from '../../shared/platform/reports/request.ts';
import { discardFile, storeFile } from '../../shared/platform/storage/loose-files.ts';
import type { Storage } from '../../shared/platform/storage/storage.ts';
import { type Present, presentActor } from '../batches/present-actor.ts';
import { type Delivery, type Handler, PermanentFailure, TryLater } from '../kernel/handler.ts';

/** The rows of a report in one snapshot of the database. */
export type ReportSource<One extends FileOfRows = Report> = {
  report: One;
  order: ReportOrder;
  reader: Reader;
  fetch: FetchRows;
  /** The bytes that a COPY sends. */
  copy: (text: string) => AsyncIterable<Uint8Array>;
  signal: AbortSignal;
};

/** How a file is named and kept. */
export type FileForm = { format: string; extension: string; media_type: string };

/** Writes reports to files. */
export type ReportWriter<One extends FileOfRows = Report> = {
  form(report: One, order: ReportOrder): FileForm;
  write(source: ReportSource<One>): Promise<WrittenReport>;
};

export type WrittenReport = {
  bytes: AsyncIterable<Uint8Array>;
  /** Whether the bytes are made of rows that are still to be fetched; otherwise the snapshot is closed before them. */
  needs_snapshot: boolean;
};

export type ReportOptions<One extends FileOfRows = Report> = {
  storage: Storage;
  /** The server itself: a cursor is not for a pooler. */
  database_url: string;
  reports: ReadonlyMap<string, One>;
};

const MOST_BYTES = 2 * 1024 ** 3;

/**
 * Makes the file of a report from one snapshot. The key that it was asked for names the rows of an earlier moment: where
 * they have changed since, the file is that of the job alone, and the next request asks anew.
 */
export function makeReport<One extends FileOfRows = Report>(
  { storage, database_url, reports }: ReportOptions<One>,
  writer: ReportWriter<One>,
): Handler<ReportOrder> {
  return async (order, delivery) => {
    const { database, organization_id, delivery_id, clock, part, settle, signal } = delivery;
    const { job_id } = order;
    const report = reports.get(order.report);
    if (!report) throw new TryLater(reasons.unknown_to_release(order.report).en);
    const { format, extension, media_type } = writer.form(report, order);
    let isOpen = false;
    await part(async (work) => {
      isOpen = await startJob(work, job_id);
    });
    if (!isOpen) return;
    const actor = await readerOf(report, order, delivery);
    const now = clock();
    const files = { database, storage };
    const store = (bytes: AsyncIterable<Uint8Array>) =>
      storeFile(files, {
        organization_id,
        area: `reports/${job_id}`,
        body: Readable.from(bytes, { objectMode: false }),
        limit: MOST_BYTES,
        now,
      });
    const { key, bytes, streamed } = await withBulk(
      { url: database_url, organization_id, signal },
      async ({ connection, copyOut }) => {
        connection.begin();
        await connection.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
        await connection.query("SET LOCAL DateStyle = 'ISO'");
        const reader: Reader = {
          connection,
          organization_id,
          actor,
          now,
          request_id: delivery_id,
          ip_address: null,
        };
        const { revision } = await report.state(reader, order.asked);
        const fetch: FetchRows = (text, values) => cursorRows(connection, text, values);
        const { bytes, needs_snapshot } = await writer.write({
          report,
          order,
          reader,
          fetch,
          copy: copyOut,
          signal,
        });
        const streamed = needs_snapshot ? await store(bytes) : null;
        await connection.commit();
        return { key: reportKey(report, { ...order, format }, revision), bytes, streamed };
      },
    );
    // A snapshot that is open while Chromium renders would keep the database from removing old row versions.
    const stored = streamed ?? (await store(bytes));
    try {
      await settle(async (work) => {
        if (!(await succeedJob(work, job_id, { sha256: stored.sha256, size: stored.size }))) return;
        const file_name = exportFileName(report.title[order.language], now, job_id, extension);
        await keepJobFile(work, job_id, { ...stored, file_name, media_type });
        forgetGenerated(work, job_id, { unless: key });
      });
    } finally {
      // Removes nothing that was kept.
      await discardFile(files, organization_id, stored.storage_key).catch(() => undefined);
    }
  };
}

/** With whose rights the rows are read. Errors: `PermanentFailure` where who asked may not have them any more. */
async function readerOf(
  { scope, reads_as_asker }: FileOfRows,
  { asking }: ReportOrder,
  { part }: Delivery,
): Promise<Actor> {
  if (!reads_as_asker) return systemActor;
  let present: Present = { refused: 'insufficient_scope' };
  await part(async (work) => {
    if (asking) present = await presentActor(work, asking, scope);
  });
  if ('actor' in present) return (present as { actor: Actor }).actor;
  throw new PermanentFailure(reasons.may_not_have_it().en, { code: present.refused });
}
