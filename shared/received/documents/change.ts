import { freeSources } from '../../invoicing/convert/invoice.ts';
import { Failure, type FieldError, invalidAll } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Text } from '../../kernel/language.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';
import { type ReceivedContext, receivedContext } from '../context.ts';
import { senderOf } from '../sender.ts';
import { actionsFor, requireTransition } from '../transitions/allowed.ts';
import { defaultDue, requireReason, statedRow, transactionDates } from './draft.ts';
import type { ReceivedPatch } from './input.ts';
import type { ReceivedKind } from './kinds.ts';
import { newReceivedLine, type ReceivedLinePatch, type StoredLine } from './line.ts';
import { documentForUpdate } from './queries.ts';
import { type ReceivedDocument, ReceivedModel, receivedFacts } from './record.ts';
import { requireNamed } from './references.ts';
import { askingIn, shownReceived, standingOf } from './shown.ts';
import { documentChanged } from './write.ts';

/**
 * Changes the fields sent. Errors: `not_found`, `precondition_failed`, `frozen` for what is decided on, and those of making
 * one.
 */
export async function changeReceived(
  work: Work,
  kind: ReceivedKind,
  id: string,
  { allow_duplicate = false, ...patch }: ReceivedPatch,
): Promise<ReceivedDocument> {
  const before = await documentForUpdate(work, kind, id);
  work.precondition(before);
  const context = await receivedContext(work);
  requireOpen(before, patch, context);
  if (before.status !== 'pending') return documentChanged(work, before, annotated(before, patch));
  const company_id = patch.company_id === undefined ? before.company_id : patch.company_id;
  const company = company_id === null ? null : await senderOf(work, company_id);
  const after = changed(before, patch, {
    now: work.now,
    company_name: company?.name ?? null,
    terms: company?.payment_terms ?? context.settings.default_due,
  });
  requireReason(after);
  if (NAMING.some((field) => patch[field] !== undefined)) await requireNamed(work, after);
  return documentChanged(work, before, after, { allow_duplicate });
}

/**
 * Removes a document without files that is pending or rejected; what it was made of can be converted again. Errors:
 * `not_found`, `precondition_failed`, `invalid_transition`, `retention_active`.
 */
export async function deleteReceived(work: Work, kind: ReceivedKind, id: string): Promise<void> {
  const before = await documentForUpdate(work, kind, id);
  const context = await receivedContext(work);
  work.precondition(before);
  requireTransition(standingOf(before, context), 'delete', askingIn(context));
  freeSources(work, id);
  work.remove(ReceivedModel, id);
  const shown = shownReceived(before, { ...context, grants: null, user_id: null });
  work.record(receivedFacts[kind].deleted, { before: shown, after: null });
}

/** What names other records, or decides which can be named: what an order has lost since is told only with these. */
const NAMING = ['company_id', 'purchase_order_id', 'line_items'] as const;

/** What changes in every status: it is for our own use. */
const NEVER_FROZEN: readonly string[] = ['internal_memo', 'external_id', 'metadata'];

/** Errors: `frozen` with every field that cannot change any more. */
function requireOpen(before: ReceivedDocument, patch: ReceivedPatch, context: ReceivedContext): void {
  const { kind, status, balance } = before;
  if (status === 'pending') return;
  const isUnpaid = kind === 'invoice' && status !== 'rejected' && balance !== 0;
  const open = isUnpaid ? [...NEVER_FROZEN, 'due_date'] : NEVER_FROZEN;
  const frozen = Object.keys(patch).filter((field) => !open.includes(field));
  if (frozen.length === 0) return;
  throw new Failure('received_frozen', {
    detail: {
      en: `The document is ${status}: ${frozen.join(', ')} cannot change any more`,
      ja: `書類の状態は ${status} です。${frozen.join('、')} はもう変更できません`,
    },
    errors: frozen.map((field) => ({
      in: 'body',
      path: `/${field}`,
      code: 'frozen',
      message: { en: `${field} cannot change after the decision`, ja: `${field} は処理後に変更できません` },
    })),
    members: {
      current_status: status,
      available_actions: actionsFor(standingOf(before, context), askingIn(context)),
    },
  });
}

/** What a patch makes of a document that is decided on: it was seen to hold nothing else. */
function annotated(before: ReceivedDocument, patch: ReceivedPatch): ReceivedDocument {
  const { internal_memo = before.internal_memo, external_id = before.external_id } = patch;
  const { due_date = before.due_date } = patch;
  const metadata = metadataAfter(before.metadata, patch.metadata);
  return { ...before, internal_memo, external_id, due_date, metadata };
}

type Changing = { now: Date; company_name: string | null; terms: Parameters<typeof defaultDue>[2] };

/**
 * What a patch makes of a pending document; what it does not name stays. Defaults that waited for the day of issue come with
 * it, and another company brings its name. Errors: `validation_failed`.
 */
function changed(
  before: ReceivedDocument,
  patch: ReceivedPatch,
  { now, company_name, terms }: Changing,
): ReceivedDocument {
  const { line_items, transaction_date, transaction_period, qualified, stated_breakdown, ...plain } = patch;
  const fields: ReceivedDocument = {
    ...before,
    ...(plain as Partial<ReceivedDocument>),
    metadata: metadataAfter(before.metadata, patch.metadata),
  };
  const isOfAnother = patch.company_id !== undefined && patch.company_id !== before.company_id;
  const isIssuedNow = before.issue_date === null && before.due_date === null && patch.due_date === undefined;
  return {
    ...fields,
    ...datesAfter(before, patch),
    ...(isOfAnother && patch.company_name === undefined && company_name !== null && { company_name }),
    ...(isIssuedNow && { due_date: defaultDue(fields.kind, fields.issue_date, terms) }),
    ...(qualified !== undefined && { qualified_override: qualified === false ? false : null }),
    ...(stated_breakdown !== undefined && { stated_breakdown: stated_breakdown?.map(statedRow) ?? null }),
    lines: line_items ? linesAfter(before.lines, line_items, now) : before.lines,
  };
}

/** A day takes the place of a period and the other way round; without either the day of issue stands again. */
function datesAfter(
  before: ReceivedDocument,
  { transaction_date = before.transaction_date, transaction_period, issue_date }: ReceivedPatch,
) {
  const { transaction_from: from, transaction_to: to } = before;
  const stays = transaction_period === undefined && !transaction_date && from !== null && to !== null;
  return transactionDates({
    transaction_date,
    transaction_period: stays ? { from, to } : transaction_period,
    issue_date: issue_date === undefined ? before.issue_date : issue_date,
  });
}

/**
 * The lines that were sent, in their order: one with an ID is that line changed. Errors: `validation_failed` with
 * `unknown_reference` or `duplicate` at /line_items/n/id.
 */
function linesAfter(
  before: readonly StoredLine[],
  patches: readonly ReceivedLinePatch[],
  now: Date,
): StoredLine[] {
  const known = new Set(before.map(({ id }) => id));
  const faults: FieldError[] = [];
  const seen = new Set<string>();
  const lines = patches.map(({ id, ...input }, index) => {
    if (id === undefined) return newReceivedLine(newId('li', now), input);
    const fault = (code: string, message: Text) =>
      faults.push({ in: 'body', path: `/line_items/${index}/id`, code, message });
    if (!known.has(id))
      fault('unknown_reference', {
        en: `${id} is no line of the document`,
        ja: `${id} はこの書類の明細ではありません`,
      });
    else if (seen.has(id))
      fault('duplicate', { en: `${id} stands on a line above`, ja: `${id} は上の明細と重複しています` });
    seen.add(id);
    return newReceivedLine(id, input);
  });
  if (faults.length > 0) throw invalidAll(faults);
  return lines;
}
