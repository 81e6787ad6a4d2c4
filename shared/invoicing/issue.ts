import type { Fact } from '../kernel/fact.ts';
import type { Work } from '../kernel/work.ts';
import { documentCompany, snapshotOf } from './documents/company.ts';
import { contextOf } from './documents/context.ts';
import type { DocumentRecord } from './documents/record.ts';
import { writeDocument } from './documents/write.ts';
import { takeNumber } from './numbering/take.ts';
import { pdfFileName } from './pdf/file-name.ts';
import { freezePrint } from './pdf/prints.ts';
import { RENDERING_PDF } from './pdf/state.ts';
import { printFor } from './print/print-for.ts';

/**
 * Issues a locked draft: gives it what an issued document has, writes it with `changes` (its status and what belongs
 * to that), freezes all that its page shows and asks for the PDF. The counter of numbers is locked: all other locks
 * come before. Answers the document as it is now.
 */
export async function issueDocument(
  work: Work,
  before: DocumentRecord,
  changes: Partial<DocumentRecord>,
  fact?: Fact,
): Promise<DocumentRecord> {
  const issued = await asIssued(work, { ...before, ...changes });
  const after = await writeDocument(work, before, issued, fact);
  await freezeDocument(work, after);
  return after;
}

/** A document with its number, its company and the issuer's registration as they are on issue. */
export async function asIssued(work: Work, record: DocumentRecord): Promise<DocumentRecord> {
  const [{ settings }, company] = await Promise.all([
    contextOf(work),
    documentCompany(work, record.company_id),
  ]);
  const { kind, issue_date } = record;
  return {
    ...record,
    company_snapshot: snapshotOf(company),
    issuer_registration_number: settings.issuer_registration_number,
    number: record.number ?? (await takeNumber(work, kind, issue_date, settings)),
    pdf: RENDERING_PDF,
  };
}

/** Freezes all that the page of an issued document shows, once, and asks for its PDF. */
export async function freezeDocument(work: Work, record: DocumentRecord): Promise<void> {
  const print = await printFor(work, record, { is_draft: false });
  await freezePrint(work, print, { id: record.id, file_name: pdfFileName(print) });
}
