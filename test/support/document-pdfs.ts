import { Readable } from 'node:stream';
import { transaction } from '../../shared/db/transaction.ts';
import { failPrint, settlePrint } from '../../shared/invoicing/pdf/prints.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import { Work } from '../../shared/kernel/work.ts';
import { failJob } from '../../shared/platform/jobs/operations.ts';
import { storeFile } from '../../shared/platform/storage/loose-files.ts';
import type { TestApp } from './app.ts';

/** What stands for the PDF of an issued document here, byte for byte. */
export const PDF_BYTES = Buffer.from('%PDF-1.7\nwhat a worker would have made\n%%EOF\n');

/** A worker has made the PDF of an issued document, without a worker; nothing is left to be rendered. */
export async function makePdf(app: TestApp, organization_id: string, document_id: string): Promise<void> {
  const now = app.context.now();
  const file = await storeFile(app.context, {
    organization_id,
    area: 'documents',
    body: Readable.from([PDF_BYTES]),
    limit: 1_000,
    now,
  });
  await inWork(app, organization_id, async (work) => {
    const job_id = await takeRendering(work, document_id);
    await settlePrint(work, { document_id, job_id }, file);
  });
}

/** A worker has given up the PDF of an issued document. */
export async function giveUpPdf(app: TestApp, organization_id: string, document_id: string): Promise<void> {
  await inWork(app, organization_id, async (work) => {
    const error = { code: 'gave_up', message: 'Chromium could not be started' };
    await failJob(work, await takeRendering(work, document_id), error);
    await failPrint(work, document_id, error);
  });
}

/** Takes the delivery that asks for the PDF; answers its job. */
async function takeRendering(work: Work, document_id: string): Promise<string> {
  const [taken] = await work.connection.query<{ job_id: string }>(
    `DELETE FROM outbox WHERE organization_id = $1 AND name = 'invoicing.render_print'
       AND payload ->> 'document_id' = $2 RETURNING job_id`,
    [work.organization_id, document_id],
  );
  if (!taken) throw new Error(`Nobody has asked for the PDF of ${document_id}`);
  return taken.job_id;
}

async function inWork(
  { database, context }: TestApp,
  organization_id: string,
  run: (work: Work) => Promise<void>,
): Promise<void> {
  await database.withConnection(organization_id, (connection) =>
    transaction(connection, async (commit) => {
      const who = { actor: systemActor, request_id: null, ip_address: null };
      const work = new Work(
        { connection, organization_id, now: context.now(), ...who },
        { may_change_nothing: true },
      );
      await run(work);
      await commit(work.finish());
    }),
  );
}
