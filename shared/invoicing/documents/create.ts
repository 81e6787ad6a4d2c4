import { becomeCustomer } from '../../crm/companies/customer.ts';
import { requireRecord } from '../../db/reference.ts';
import type { Work } from '../../kernel/work.ts';
import { numberAhead } from '../numbering/ahead.ts';
import { counterOf } from '../numbering/counter.ts';
import { holdNumbers } from '../numbering/take.ts';
import type { Totals } from '../tax/totals.ts';
import { type DocumentCompany, documentCompany } from './company.ts';
import { contextOf, sharedContextOf } from './context.ts';
import { draftOf, type LineOrigin } from './draft.ts';
import { insertLines } from './insert-lines.ts';
import { type DocumentKind, kinds } from './kinds.ts';
import { DocumentModel, type DocumentRecord, documentFacts, LINKS } from './record.ts';
import type { DocumentLink } from './related.ts';
import { columnsOf, searchedBy } from './rows.ts';
import type { DocumentInput } from './shape.ts';
import { documentOf } from './shown.ts';

/** What a document is made of, beside the fields that are sent. */
export type Origin = {
  /** By position, the line that each line was made of. */
  lines?: readonly LineOrigin[];
  /** What it was converted from. */
  sources?: readonly DocumentLink[];
  /** The invoice that it will replace. */
  revises_id?: string;
  /** Credit notes: the invoice and why. */
  credits?: { invoice_id: string; reason: string };
  /** Amounts and totals that follow from more than the document itself. */
  counted?: { amounts: readonly (bigint | null)[]; totals: Totals };
};

/**
 * Makes a document, as a draft where its kind has drafts. Its company becomes a customer with the first
 * one that is sold by. Errors:
 * `unknown_reference`, `validation_failed` as computing the totals has them, `already_exists` for a number.
 */
export async function createDocument(
  work: Work,
  kind: DocumentKind,
  input: DocumentInput,
  origin: Origin = {},
): Promise<DocumentRecord> {
  const { record, company } = await plannedDocument(work, kind, input, origin);
  const { settings } = await contextOf(work);
  if (kinds[kind].makes_customer && company.customer_since === null)
    await becomeCustomer(work, record.company_id);
  const isCounted = settings.numbering[kind].assign_on === 'create';
  if (record.number !== null || isCounted) {
    const counter = counterOf(work.organization_id, kind, record.issue_date, settings);
    if (record.number === null) record.number = await numberAhead(work, counter);
    else await holdNumbers(work, counter);
  }
  await insertDocument(work, record);
  return record;
}

/** Adds a document with its lines and links, and says so. */
export async function insertDocument(work: Work, record: DocumentRecord): Promise<void> {
  const { kind } = record;
  const context = { ...(await contextOf(work)), grants: null };
  const shown = documentOf(record, context);
  work.insert(DocumentModel, { ...columnsOf(record), ...searchedBy(record) });
  insertLines(work, record, shown);
  const links = record.source.map(({ type, id }) => ({
    source_id: id,
    target_id: record.id,
    source_type: type,
    target_type: kind,
    created_at: record.created_at,
  }));
  work.insertAll(LINKS, links);
  work.record(documentFacts[kind].created, { before: null, after: shown });
}

/**
 * The document that a body makes, without making it. Errors: `unknown_reference`, `validation_failed` as computing the
 * totals has them.
 */
export async function plannedDocument(
  work: Work,
  kind: DocumentKind,
  input: DocumentInput,
  origin: Origin = {},
): Promise<{ record: DocumentRecord; company: DocumentCompany }> {
  const [{ settings }, company] = await Promise.all([
    sharedContextOf(work),
    documentCompany(work, input.company_id),
    requireRecord(work, { tableName: 'crm_contacts' }, input.contact_id, '/contact_id'),
  ]);
  const { actor, now } = work;
  const { lines: origins, counted, sources = [], revises_id = null, credits } = origin;
  const draft = draftOf(kind, input, { settings, company, actor, now, origins, counted });
  const { invoice_id = null, reason = null } = credits ?? {};
  return { record: { ...draft, source: [...sources], revises_id, invoice_id, reason }, company };
}
