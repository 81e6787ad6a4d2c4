import { becomeCustomer } from '../../crm/companies/customer.ts';
import { requireRecord } from '../../db/reference.ts';
import { Failure, type FieldError, invalidAll } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Text } from '../../kernel/language.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';
import { freeSources } from '../convert/invoice.ts';
import { lockNotesOf, requireWithinDelivered } from '../convert/within-delivered.ts';
import { counterOf } from '../numbering/counter.ts';
import { holdNumbers } from '../numbering/take.ts';
import { requireTransition } from '../transitions/allowed.ts';
import { askingIn, availableActions } from '../transitions/standing.ts';
import { documentCompany } from './company.ts';
import { contextOf, type DocumentContext } from './context.ts';
import { newLine, transactionDates } from './draft.ts';
import { type DocumentKind, kinds, type WrittenKind } from './kinds.ts';
import type { DocumentLine, LinePatch } from './line.ts';
import { DocumentModel, type DocumentRecord, documentFacts } from './record.ts';
import { lockDocument } from './rows.ts';
import type { DocumentPatch } from './shape.ts';
import { documentOf } from './shown.ts';
import { computeTotals } from './totals.ts';
import { DELETE_LINES, writeDocument } from './write.ts';

/**
 * Changes the fields sent. Errors: `not_found`, `precondition_failed`, `frozen` for all but the internal memo and
 * the own keys of an issued document, those of making one, and `exceeds_open` for more of a delivery note than is open.
 */
export async function changeDocument(
  work: Work,
  kind: DocumentKind,
  id: string,
  patch: DocumentPatch,
): Promise<DocumentRecord> {
  const isTakingAnew = kind === 'invoice' && patch.line_items !== undefined;
  const held = isTakingAnew ? lockNotesOf(work, id) : null;
  const locked = Promise.all([lockDocument(work, kind, id), held]);
  const references = Promise.all([
    patch.company_id === undefined ? null : documentCompany(work, patch.company_id),
    requireRecord(work, { tableName: 'crm_contacts' }, patch.contact_id, '/contact_id'),
  ]);
  // They travel with the lock, but that there is no document comes first.
  references.catch(() => undefined);
  const [before] = await locked;
  const [company] = await references;
  work.precondition(before);
  requireOpen(before, patch, await contextOf(work));
  const after = changed(before, patch, work.now);
  if (isTakingAnew) await requireWithinDelivered(work, after);
  const isNewCustomer = kinds[kind].makes_customer && company?.customer_since === null;
  if (isNewCustomer) await becomeCustomer(work, after.company_id);
  if (after.number !== null && after.number !== before.number) {
    const { settings } = await contextOf(work);
    await holdNumbers(work, counterOf(work.organization_id, kind, after.issue_date, settings));
  }
  return writeDocument(work, before, after);
}

/**
 * Removes a draft; what it was made from can be converted again. Errors: `not_found`, `precondition_failed`,
 * `invalid_transition`.
 */
export async function deleteDocument(work: Work, kind: WrittenKind, id: string): Promise<void> {
  const before = await lockDocument(work, kind, id);
  const context = await contextOf(work);
  work.precondition(before);
  requireTransition(before, 'delete', askingIn(context));
  freeSources(work, id);
  work.run(DELETE_LINES, [work.organization_id, id]);
  work.remove(DocumentModel, id);
  const shown = documentOf(before, { ...context, grants: null });
  work.record(documentFacts[kind].deleted, { before: shown, after: null });
}

/** What changes in every status: nothing of it is printed. */
const NEVER_FROZEN = ['internal_memo', 'external_id', 'metadata'];

/** Errors: `frozen` with every field that cannot change any more. */
function requireOpen(before: DocumentRecord, patch: DocumentPatch, context: DocumentContext): void {
  const { status } = before;
  if (status === 'draft') return;
  const frozen = Object.keys(patch).filter((field) => !NEVER_FROZEN.includes(field));
  if (frozen.length === 0) return;
  throw new Failure('frozen', {
    detail: {
      en: `The document is ${status}: ${frozen.join(', ')} cannot change any more`,
      ja: `書類の状態は ${status} です。${frozen.join('、')} はもう変更できません`,
    },
    errors: frozen.map((field) => ({
      in: 'body',
      path: `/${field}`,
      code: 'frozen',
      message: { en: `${field} cannot change after issue`, ja: `${field} は発行後に変更できません` },
    })),
    members: { current_status: status, available_actions: availableActions(before, context) },
  });
}

/**
 * What a patch makes of a document; what it does not name stays, and nothing of an issued one is computed anew. Errors:
 * `validation_failed`.
 */
export function changed(before: DocumentRecord, patch: DocumentPatch, now: Date): DocumentRecord {
  const metadata = metadataAfter(before.metadata, patch.metadata);
  if (before.status !== 'draft') {
    const { internal_memo = before.internal_memo, external_id = before.external_id } = patch;
    return { ...before, internal_memo, external_id, metadata };
  }
  const { line_items, transaction_date, transaction_period, ...plain } = patch;
  const fields = { ...before, ...plain, metadata } as DocumentRecord;
  const after = {
    ...fields,
    ...datesAfter(before, patch),
  };
  const lines = line_items ? linesAfter(before.lines, line_items, now) : before.lines;
  const counted = computeTotals(lines, after);
  return { ...after, ...counted.totals, balance: counted.totals.amount_due, lines: counted.lines };
}

/** A day takes the place of a period and the other way round; without either the day of issue stands again. */
function datesAfter(
  before: DocumentRecord,
  { transaction_date = before.transaction_date, transaction_period, issue_date }: DocumentPatch,
) {
  const { transaction_from: from, transaction_to: to } = before;
  const stays = transaction_period === undefined && !transaction_date && from !== null && to !== null;
  return transactionDates({
    transaction_date,
    transaction_period: stays ? { from, to } : transaction_period,
    issue_date: issue_date ?? before.issue_date,
  });
}

/**
 * The lines that were sent, in their order: one with an ID is that line changed, and keeps what it was converted from.
 * Errors: `validation_failed` with `unknown_reference` or `duplicate` at /line_items/n/id.
 */
function linesAfter(
  before: readonly DocumentLine[],
  patches: readonly LinePatch[],
  now: Date,
): DocumentLine[] {
  const known = new Map(before.map((line) => [line.id, line]));
  const faults: FieldError[] = [];
  const seen = new Set<string>();
  const lines = patches.map(({ id, ...input }, index) => {
    if (id === undefined) return newLine(newId('li', now), input, null);
    const line = known.get(id);
    const fault = (code: string, message: Text) =>
      faults.push({ in: 'body', path: `/line_items/${index}/id`, code, message });
    if (!line)
      fault('unknown_reference', {
        en: `${id} is no line of the document`,
        ja: `${id} はこの書類の明細ではありません`,
      });
    else if (seen.has(id))
      fault('duplicate', { en: `${id} stands on a line above`, ja: `${id} は上の明細と重複しています` });
    seen.add(id);
    const { source_line_id, source_document_id } = line ?? {};
    const origin = source_line_id && source_document_id ? { source_line_id, source_document_id } : null;
    return newLine(id, input, origin);
  });
  if (faults.length > 0) throw invalidAll(faults);
  return lines;
}
