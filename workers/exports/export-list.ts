import { Readable } from 'node:stream';
import { withBulk } from '../../shared/db/bulk.ts';
import { type Actor, type Reader, systemActor } from '../../shared/kernel/reader.ts';
import { chosenColumns } from '../../shared/platform/exports/columns.ts';
import { columnsIn, type Exporter, type MadeColumns } from '../../shared/platform/exports/exporter.ts';
import { exportFile, exportFileName, mediaTypeOf } from '../../shared/platform/exports/file.ts';
import { headersIn } from '../../shared/platform/exports/headers.ts';
import { endExport, exportRequest, windowOf } from '../../shared/platform/exports/operations.ts';
import { awaitRemovals, beginUpToDate, isOutdated } from '../../shared/platform/exports/outdated.ts';
import type { ExportRequest, ExportResult } from '../../shared/platform/exports/record.ts';
import { copyStatement, isWide } from '../../shared/platform/exports/statement.ts';
import { linesIn } from '../../shared/platform/exports/wrapped.ts';
import { keepJobFile } from '../../shared/platform/jobs/files.ts';
import { progressJob, startJob, succeedJob } from '../../shared/platform/jobs/operations.ts';
import { reasons } from '../../shared/platform/operators/reasons.ts';
import { discardFile, storeFile } from '../../shared/platform/storage/loose-files.ts';
import type { Storage, Written } from '../../shared/platform/storage/storage.ts';
import { type Present, presentActor } from '../batches/present-actor.ts';
import { type Delivery, type Handler, PermanentFailure, Postponed, TryLater } from '../kernel/handler.ts';
import { discardEarlier } from './earlier-files.ts';
import { Cancelled, reporting } from './reporting.ts';

export type ExportOptions = {
  storage: Storage;
  /** The server itself: a stream is not for a pooler. */
  database_url: string;
  exporters: ReadonlyMap<string, Exporter>;
};

type Export = ExportOptions & { job_id: string; exporter: Exporter; request: ExportRequest };

type Made = { stored: Written & { storage_key: string }; result: ExportResult };

/** How values are written; and the server checks each second, also in a long sort, whether its client is still there. */
const SETTINGS = ["TimeZone = 'UTC'", "DateStyle = 'ISO'", "client_connection_check_interval = '1s'"];

/** Milliseconds until an export begins anew that was written while rows of it went. */
const OUTDATED_PAUSE = 100;

/** Far beyond what a spreadsheet opens; a bound all the same. */
const MOST_BYTES = 20 * 1024 ** 3;

/**
 * Writes a list to a file: one COPY, so one moment of the database, streamed through to the store. Another try begins
 * anew and removes what the one before has left.
 */
export function exportList(options: ExportOptions): Handler<{ job_id: string }> {
  return async ({ job_id }, delivery) => {
    const begun = await begin(job_id, delivery, options.exporters);
    if (!begun) return;
    const { exporter, request } = begun;
    const { database, organization_id, clock } = delivery;
    const files = { database, storage: options.storage };
    const now = clock();
    const made = await make({ ...options, job_id, exporter, request }, delivery, now).catch((error) => {
      if (error instanceof Cancelled) return null;
      throw error;
    });
    try {
      await delivery.settle(async (work) => {
        endExport(work, job_id);
        if (!made) return;
        const { stored, result } = made;
        const isOpen = await progressJob(work, job_id, { done: result.rows, total: result.rows });
        if (!isOpen) return;
        if (await isOutdated(work, job_id)) throw new Postponed(reasons.outdated_rows().en, OUTDATED_PAUSE);
        const file_name = exportFileName(exporter.title, now, job_id);
        await keepJobFile(work, job_id, { ...stored, file_name, media_type: mediaTypeOf(request) });
        await succeedJob(work, job_id, result);
      });
    } finally {
      // This removes no file that a job keeps, only one that no job refers to.
      if (made) await discardFile(files, organization_id, made.stored.storage_key).catch(() => undefined);
    }
  };
}

type Begun = Pick<Export, 'exporter' | 'request'>;

/** What is to be written; null when the job has ended meanwhile. Throws where it was asked for too long ago. */
async function begin(
  job_id: string,
  delivery: Delivery,
  exporters: ExportOptions['exporters'],
): Promise<Begun | null> {
  let isOpen = false;
  let begun: Begun | null = null;
  await delivery.part(async (work) => {
    const request = await exportRequest(work, job_id);
    const exporter = request && exporterOf(request, exporters);
    if (request && exporter) {
      await awaitRemovals(work, exporter, request);
      beginUpToDate(work, job_id);
      begun = { exporter, request };
    }
    isOpen = await startJob(work, job_id);
    if (!isOpen) endExport(work, job_id);
  });
  if (isOpen && !begun) throw new PermanentFailure(reasons.asked_too_long_ago().en);
  return isOpen ? begun : null;
}

function exporterOf({ exporter: name }: ExportRequest, exporters: ExportOptions['exporters']): Exporter {
  const exporter = exporters.get(name);
  if (!exporter) throw new TryLater(reasons.unknown_to_release(name).en);
  return exporter;
}

/** With whose rights the list is written. Errors: `PermanentFailure` where who asked may not have it any more. */
async function writerOf({ exporter, request }: Export, delivery: Delivery): Promise<Actor> {
  const { asking } = request;
  if (!asking) return systemActor;
  let present: Present | null = null;
  await delivery.part(async (work) => {
    present = await presentActor(work, asking, exporter.scope);
  });
  const found = present as Present | null;
  if (found && 'actor' in found) return found.actor;
  throw new PermanentFailure(reasons.may_not_have_it().en, { code: found!.refused });
}

/** The columns of the file, and the lines above them. */
async function columnsOf(reader: Reader, exporter: Exporter, request: ExportRequest): Promise<MadeColumns> {
  if (exporter.made) return exporter.made(reader, request.filters);
  const { lang = 'en' } = request;
  const columns = await chosenColumns(reader, exporter, request.columns);
  return { columns: columnsIn(lang, exporter, columns), headers: [headersIn(lang, exporter, columns)] };
}

async function make(asked: Export, delivery: Delivery, now: Date): Promise<Made> {
  const { storage, database_url, job_id, exporter, request } = asked;
  const { database, organization_id, delivery_id } = delivery;
  const files = { database, storage };
  const area = `exports/${job_id}`;
  await discardEarlier(delivery, storage, area);
  const actor = await writerOf(asked, delivery);
  const report = reporting(asked, delivery);
  try {
    return await withBulk(
      { url: database_url, organization_id, signal: report.signal },
      async ({ connection, copyOut }) => {
        connection.begin();
        await connection.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
        for (const setting of SETTINGS) await connection.query(`SET LOCAL ${setting}`);
        const reader: Reader = {
          connection,
          organization_id,
          actor,
          now,
          request_id: delivery_id,
          ip_address: null,
        };
        const { columns, headers } = await columnsOf(reader, exporter, request);
        const file = exportFile(columns, headers, request);
        report.follow(file.rows);
        const list = await exporter.list(reader, request.filters, windowOf(request));
        const sent = copyOut(copyStatement(reader, list, columns));
        const copied = isWide(columns) ? linesIn(sent) : sent;
        const body = Readable.from(file.bytes(copied), { objectMode: false, highWaterMark: 1024 * 1024 });
        const stored = await storeFile(files, { organization_id, area, body, limit: MOST_BYTES, now });
        await connection.commit();
        const result: ExportResult = {
          rows: file.rows(),
          replaced_characters: file.replaced(),
          columns: [...headers[0]!],
          encoding: request.encoding,
          size: stored.size,
          ...(exporter.record && { [exporter.record]: request.filters[exporter.record] }),
        };
        return { stored, result };
      },
    );
  } finally {
    await report.end();
  }
}
