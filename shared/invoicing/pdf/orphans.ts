import type { Continues } from '../../platform/jobs/orphans.ts';
import type { Orphans } from '../../platform/outbox/orphans.ts';
import { renderDraftJob, renderPrintJob } from './jobs.ts';
import { printKey, renderFailed } from './prints.ts';

/** Drafts are rendered anew. */
export const continueDrafts: Continues = async (work, job_ids) => {
  const rows = await work.connection.query<{ job_id: string }>(
    'SELECT job_id FROM invoicing_draft_prints WHERE organization_id = $1 AND job_id = ANY ($2)',
    [work.organization_id, job_ids],
  );
  for (const { job_id } of rows) work.enqueue(renderDraftJob, { job_id }, { job_id });
  return rows.map(({ job_id }) => job_id);
};

/** Issued documents are rendered anew, from what was frozen of them; the first file that is kept stays. */
export const continuePrints: Continues = async (work, job_ids) => {
  const prefix = printKey('');
  const rows = await work.connection.query<{ job_id: string; content_key: string }>(
    `SELECT job_id, content_key FROM generated_files
      WHERE organization_id = $1 AND job_id = ANY ($2) AND starts_with(content_key, $3)`,
    [work.organization_id, job_ids, prefix],
  );
  for (const { job_id, content_key } of rows) {
    work.enqueue(renderPrintJob, { document_id: content_key.slice(prefix.length), job_id }, { job_id });
  }
  return rows.map(({ job_id }) => job_id);
};

/** Prints without a delivery: their job has ended without them. They get another one. */
export const orphanedPrints: Orphans = {
  find: `SELECT organization_id, document_id AS id FROM invoicing_prints WHERE status = 'rendering'
    EXCEPT SELECT organization_id, payload ->> 'document_id' FROM outbox WHERE name = '${renderPrintJob.name}'`,
  restore: async (work, ids) => {
    const { connection, organization_id } = work;
    const locked = await connection.query<{ document_id: string }>(
      `SELECT document_id FROM invoicing_prints
        WHERE organization_id = $1 AND document_id = ANY ($2) AND status = 'rendering'
        ORDER BY document_id FOR NO KEY UPDATE SKIP LOCKED`,
      [organization_id, ids],
    );
    const delivered = await connection.query<{ document_id: string }>(
      `SELECT payload ->> 'document_id' AS document_id FROM outbox
        WHERE organization_id = $1 AND name = $2 AND payload ->> 'document_id' = ANY ($3)`,
      [organization_id, renderPrintJob.name, locked.map(({ document_id }) => document_id)],
    );
    const known = new Set(delivered.map(({ document_id }) => document_id));
    const orphans = locked.filter(({ document_id }) => !known.has(document_id));
    for (const { document_id } of orphans) await renderFailed(work, document_id);
    return orphans.length;
  },
};
