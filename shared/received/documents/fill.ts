import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { inWork } from '../../db/in-work.ts';
import { systemActor } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { eachDue } from '../../platform/sweeps/each-due.ts';
import { searchedBy } from './columns.ts';
import { documentsForUpdate } from './queries.ts';
import { ReceivedModel } from './record.ts';
import { documentChanged } from './write.ts';

/** Invoices of one look. */
const TOGETHER = 100;

type Unfilled = { organization_id: string; id: string };

const UNFILLED = `SELECT organization_id, id FROM received_documents
  WHERE kind = 'invoice' AND input_tax IS NULL AND (organization_id, id) > ($1, $2)
  ORDER BY organization_id, id LIMIT ${TOGETHER}`;

/**
 * Fills invoices that the release before made while it ran beside this one: what follows from them, and what they are
 * searched by. Each in its own transaction, so one that is cut off is found again. Answers how many.
 */
export function fillInvoices(database: Database, now: Date, signal: AbortSignal): Promise<number> {
  const look = (after: Unfilled | undefined) =>
    database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
      query<Unfilled>(UNFILLED, [after?.organization_id ?? '', after?.id ?? '']),
    );
  const fault = 'invoices of the release before could not be filled';
  return eachDue({ look, size: TOGETHER, signal, fault }, ({ organization_id, id }) =>
    database.withConnection(organization_id, (connection) =>
      inWork(
        { connection, organization_id, actor: systemActor, now, request_id: null, ip_address: null },
        (work) => fill(work, id),
        { may_change_nothing: true },
      ),
    ),
  );
}

/** One whose number another has is its duplicate. False where it is gone. */
async function fill(work: Work, id: string): Promise<boolean> {
  const [before] = await documentsForUpdate(work, 'invoice', [id]);
  if (!before) return false;
  const after = await documentChanged(work, before, before, { allow_duplicate: true });
  // What is empty is no change of the document, and marks it as filled all the same.
  work.update(ReceivedModel, id, { input_tax: after.input_tax, ...searchedBy(after) });
  return true;
}
