import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';
import { attachEvidence, detachEvidence, lockNamedEvidence, replaceEvidence } from '../documents/attach.ts';
import { type Calendar, calendarOf, requireOpenDay } from './calendar.ts';
import { type Context, contextOf } from './context.ts';
import { posted } from './post.ts';
import { lockEntry } from './queries.ts';
import { type Journal, type JournalInput, JournalModel, type JournalPatch, journalFacts } from './record.ts';
import { accountTypesOf, type KnownNames, namesIn, requireBalanceSheet, resolveEntry } from './resolve.ts';
import { type Entry, type JournalRow, journalOf, standingOf } from './rows.ts';
import { requireAction } from './transitions.ts';
import { insertEntries, writeEntry } from './write.ts';

/**
 * Makes an entry, and posts it in the same commit where the body says so. Errors: `validation_failed`, `unknown_reference`,
 * `inactive_account`, `unbalanced`, `no_fiscal_year`, `fiscal_year_closed`, `period_locked`, `not_first_day`,
 * `already_exists`, `account_map_incomplete`, `approval_required`, `frozen` for evidence that was discarded.
 */
export async function createJournal(work: Work, input: JournalInput): Promise<Journal> {
  const [journal] = await createJournals(work, [input], { post: input.post ?? false, path: () => '' });
  return journal!;
}

type Creating = { post: boolean; path: (index: number) => string };

/** Makes entries in their order, all or none; `path` is where the body has each. Errors: those of `createJournal`. */
export async function createJournals(
  work: Work,
  inputs: readonly JournalInput[],
  { post, path }: Creating,
): Promise<Journal[]> {
  const evidence = await lockNamedEvidence(
    work,
    inputs.map(({ document_ids }, index) => ({ document_ids, path: path(index) })),
  );
  const [context, calendar] = await Promise.all([
    contextOf(work),
    calendarOf(
      work,
      inputs.map(({ date }) => date),
    ),
  ]);
  const lines = inputs.flatMap((input) => input.lines);
  const known = await namesIn(work, lines, context.settings.account_map);
  const drafts = inputs.map((input, index) =>
    draftOf(work, input, { calendar, context, known, path: path(index) }),
  );
  if (post) for (const { row } of drafts) requireAction(standingOf(row), 'post', context.asking);
  const journals = insertEntries(work, post ? await posted(work, drafts, context) : drafts, context);
  attachEvidence(
    work,
    evidence,
    journals.map(({ id, document_ids }) => ({ journal_id: id, document_ids })),
  );
  return journals;
}

/** Who makes a draft, and when. */
export type Drafter = Pick<Work, 'actor' | 'now'>;

/** What a draft is made by, beside what was sent; `path` is where the body has it. */
type Drafting = { calendar: Calendar; context: Context; known: KnownNames; path: string };

/** Makes a draft of what was sent; nothing is written yet. Errors: those of `createJournal`, but for posting and evidence. */
export function draftOf(
  work: Drafter,
  input: JournalInput,
  { calendar, context, known, path }: Drafting,
): Entry {
  const { date, lines: sent } = input;
  const rules = requireOpenDay(work, calendar, { date, source_type: null }, `${path}/date`);
  const { account_map } = context.settings;
  const { lines, account_types } = resolveEntry(
    work,
    { lines: sent, path: `${path}/lines`, rules },
    known,
    account_map,
  );
  const row = newRow(work, input, calendar, lines);
  if (row.kind === 'opening') {
    requireFirstDay(calendar, row.date, `${path}/date`);
    requireBalanceSheet(account_types, `${path}/lines`);
  }
  return { row, lines, document_ids: [...new Set(input.document_ids)].sort() };
}

/** A new draft with these lines, on a day of one of the calendar's years. */
export function newRow(
  work: Drafter,
  input: Omit<JournalInput, 'lines' | 'post' | 'document_ids'>,
  { years }: Pick<Calendar, 'years'>,
  lines: Entry['lines'],
): JournalRow {
  const at = work.now.toISOString();
  const year = years.find(({ start_date, end_date }) => start_date <= input.date && input.date <= end_date)!;
  const kind = input.kind ?? 'normal';
  return {
    id: newId('je', work.now),
    fiscal_year_id: year.id,
    number: null,
    date: input.date,
    description: input.description ?? null,
    kind,
    kind_group: kind,
    status: 'draft',
    reference: input.reference ?? null,
    external_id: input.external_id ?? null,
    metadata: metadataAfter({}, input.metadata),
    source_type: null,
    source_id: null,
    reverses: null,
    reversed_by: null,
    total: totalOf(lines),
    line_count: lines.length,
    round: 0,
    approver_ids: null,
    void_reason: null,
    created_by: work.actor.user_id,
    edited_by: work.actor.user_id,
    submitted_by: null,
    submitted_at: null,
    approved_by: null,
    approved_at: null,
    posted_by: null,
    posted_at: null,
    posted_on: null,
    voided_by: null,
    voided_at: null,
    created_at: at,
    updated_at: at,
  };
}

const totalOf = (lines: Entry['lines']) => lines.reduce((sum, { debit }) => sum + debit, 0);

/** Opening balances stand on the first day of the first year. Errors: `not_first_day`. */
export function requireFirstDay({ years }: Calendar, date: string, path: string): void {
  const first = years[0]!.start_date;
  if (date === first) return;
  const message = {
    en: `Opening balances belong on ${first}`,
    ja: `開始残高の日付は${first}にしてください`,
  };
  throw new Failure('not_first_day', {
    detail: message,
    errors: [{ in: 'body', path, code: 'not_first_day', message }],
  });
}

/**
 * Changes the fields sent of a draft or a rejected entry, which is a draft then. Errors: `not_found`,
 * `precondition_failed`, `frozen`, and those of making one, for the old day and the new one; `frozen` also for evidence
 * that was discarded.
 */
export async function updateJournal(work: Work, id: string, patch: JournalPatch): Promise<Journal> {
  const before = await lockEntry(work, id);
  work.precondition(before.row);
  const date = patch.date ?? before.row.date;
  const [context, calendar] = await Promise.all([contextOf(work), calendarOf(work, [before.row.date, date])]);
  requireAction(standingOf(before.row), 'update', context.asking);
  const { source_type } = before.row;
  requireOpenDay(work, calendar, { date: before.row.date, source_type });
  const year = requireOpenDay(work, calendar, { date, source_type });
  const { lines: sent, document_ids: named, ...fields } = patch;
  const kind = patch.kind ?? before.row.kind;
  let { lines } = before;
  if (sent !== undefined) {
    const sent_lines = { lines: sent, path: '/lines', rules: year };
    const known = await namesIn(work, sent, context.settings.account_map);
    lines = resolveEntry(work, sent_lines, known, context.settings.account_map).lines;
  }
  if (kind === 'opening') {
    requireFirstDay(calendar, date, '/date');
    const accounts = lines.map(({ account_id }) => account_id);
    requireBalanceSheet(await accountTypesOf(work, accounts), '/lines');
  }
  const row: JournalRow = {
    ...before.row,
    ...fields,
    date,
    kind,
    kind_group: kind as JournalRow['kind_group'],
    fiscal_year_id: year.id,
    status: 'draft',
    metadata: metadataAfter(before.row.metadata, patch.metadata),
    total: totalOf(lines),
    line_count: lines.length,
    edited_by: work.actor.user_id,
  };
  const linked = before.document_ids ?? [];
  const document_ids = named ? [...new Set(named)].sort() : linked;
  await replaceEvidence(work, id, { before: linked, after: document_ids });
  return writeEntry(work, before, { row, lines, document_ids }, context);
}

/** A kept line as a request would send it. */
function sentLine(
  {
    tax_category,
    company_id,
    description,
  }: Pick<Entry['lines'][number], 'tax_category' | 'company_id' | 'description'>,
  amounts: { account_id: string; debit: number; credit: number },
) {
  return { ...amounts, tax_category, company_id, description };
}

/** Removes a draft or a rejected entry. Errors: `not_found`, `precondition_failed`, `frozen`. */
export async function deleteJournal(work: Work, id: string): Promise<void> {
  const [before, context] = await Promise.all([lockEntry(work, id), contextOf(work)]);
  work.precondition(before.row);
  requireAction(standingOf(before.row), 'delete', context.asking);
  await detachEvidence(work, id, before.document_ids ?? []);
  work.remove(JournalModel, id);
  work.record(journalFacts.deleted, { before: journalOf(before, context), after: null });
}

/** Makes a draft of today with the same lines and description. Errors: `not_found`, `inactive_account`, those of its day. */
export async function duplicateJournal(work: Work, id: string): Promise<Journal> {
  const [{ row, lines }, { today }] = await Promise.all([lockEntry(work, id), contextOf(work)]);
  return createJournal(work, {
    date: today,
    description: row.description,
    lines: lines.map(({ account_id, debit, credit, ...line }) =>
      sentLine(line, { account_id, debit, credit }),
    ),
  });
}
