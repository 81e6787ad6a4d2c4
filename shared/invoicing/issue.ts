import type { Fact } from '../kernel/fact.ts';
import type { Work } from '../kernel/work.ts';
import { contextOf } from './documents/context.ts';
import type { DocumentRecord } from './documents/record.ts';
import { writeDocument } from './documents/write.ts';
import { counterOf } from './numbering/counter.ts';
import { takeNumber } from './numbering/take.ts';
import { pdfFileName } from './pdf/file-name.ts';
import { freezePrint } from './pdf/prints.ts';
import { RENDERING_PDF } from './pdf/state.ts';
import { issuedPrint, type Surroundings, surroundingsOf } from './print/print-for.ts';

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
  const issuing = await asIssued(work, { ...before, ...changes });
  const after = await writeDocument(work, before, issuing.record, fact);
  await freezeDocument(work, after, issuing.surroundings);
  return after;
}

/** A document as it is issued, and the records that its page shows beside it. */
export type Issuing = { record: DocumentRecord; surroundings: Surroundings };

/**
 * A document with its number, its company and the issuer's registration as they are on issue. The number is taken last:
 * all who issue a document of that kind wait for the one that has the counter.
 */
export async function asIssued(work: Work, record: DocumentRecord): Promise<Issuing> {
  const [{ settings }, surroundings] = await Promise.all([contextOf(work), surroundingsOf(work, record)]);
  const { kind, issue_date } = record;
  const issued = {
    ...record,
    company_snapshot: surroundings.company,
    issuer_registration_number: settings.issuer_registration_number,
    number:
      record.number ?? (await takeNumber(work, counterOf(work.organization_id, kind, issue_date, settings))),
    pdf: RENDERING_PDF,
  };
  return { record: issued, surroundings };
}

/** Freezes all that the page of an issued document shows, once, and asks for its PDF. */
export async function freezeDocument(
  work: Work,
  record: DocumentRecord,
  surroundings: Surroundings,
): Promise<void> {
  const { settings } = await contextOf(work);
  const print = issuedPrint(record, settings, surroundings);
  await freezePrint(work, print, { id: record.id, file_name: pdfFileName(print) });
}
