import { isSameJson } from '../../kernel/same-json.ts';
import type { Work } from '../../kernel/work.ts';
import { cellError } from '../../platform/imports/cell-errors.ts';
import type { OnConflict } from '../../platform/imports/options.ts';
import { changed } from '../documents/change.ts';
import type { DocumentCompany } from '../documents/company.ts';
import type { DocumentContext } from '../documents/context.ts';
import { draftOf } from '../documents/draft.ts';
import type { WrittenKind } from '../documents/kinds.ts';
import type { DocumentLine } from '../documents/line.ts';
import type { DocumentRecord } from '../documents/record.ts';
import { inputSchemas, patchSchemas } from '../documents/shape.ts';
import { faultsOfIssues } from './faults.ts';
import type { LineOfRow, Read } from './read.ts';

/** What documents of a file are composed by. */
export type Composing = {
  kind: WrittenKind;
  on_conflict: OnConflict;
  context: DocumentContext;
  companies: ReadonlyMap<string, DocumentCompany>;
  nextId: () => string;
};

/** The new document that the rows say, or null where they have a fault. Errors: as computing the totals has them. */
export function newDocument(
  work: Pick<Work, 'actor' | 'now'>,
  read: Read,
  company_id: string | undefined,
  { kind, context: { settings }, companies, nextId }: Composing,
): DocumentRecord | null {
  const { delivery_date } = read.fields;
  const { data, error } = inputSchemas[kind].safeParse({
    // A note without a day of its own is of the day of its delivery.
    issue_date: delivery_date,
    ...read.fields,
    company_id,
    line_items: read.lines.map(({ line }) => line),
  });
  if (error) {
    read.faults.push(...faultsOfIssues(read, error));
    return null;
  }
  const { actor, now } = work;
  const company = companies.get(data.company_id)!;
  return { ...draftOf(kind, data, { settings, company, actor, now }), id: nextId() };
}

/**
 * What the rows make of a draft, the draft itself where they change nothing, or null where they have a fault. Errors: as
 * computing the totals has them.
 */
export function changedDocument(
  work: Pick<Work, 'now'>,
  read: Read,
  company_id: string | undefined,
  before: DocumentRecord,
  { kind, on_conflict }: Composing,
): DocumentRecord | null {
  if (before.status !== 'draft') {
    read.faults.push(
      cellError(
        read.rows[0]!,
        'frozen',
        'external_id',
        `The document is ${before.status} and cannot change any more: take its rows out, or revise it`,
      ),
    );
    return null;
  }
  const line_items =
    on_conflict === 'update' && read.lines.length > 0 ? linesOf(read.lines, before.lines) : undefined;
  const { data, error } = patchSchemas[kind].safeParse({
    ...(on_conflict === 'update' ? read.fields : blanksOf(before, read.fields)),
    ...(on_conflict === 'update' && company_id !== undefined && { company_id }),
    ...(line_items !== undefined && { line_items }),
  });
  if (error) {
    read.faults.push(...faultsOfIssues(read, error));
    return null;
  }
  const after = changed(before, data, work.now);
  const isConverted = before.lines.some(({ source_line_id }) => source_line_id !== null);
  if (isConverted && !isSameJson(before.lines, after.lines)) {
    read.faults.push(
      cellError(
        read.rows[0]!,
        'made_of_others',
        null,
        'The draft was made of other documents: change its lines there, or by hand',
      ),
    );
    return null;
  }
  return after;
}

/** Lines as a change sends them: one that says what the line in its place says is that line, and keeps what it does not say. */
function linesOf(lines: readonly LineOfRow[], before: readonly DocumentLine[]): Record<string, unknown>[] {
  return lines.map(({ line }, place) => {
    const standing = before[place];
    return standing && isOf(standing, line) ? { ...sentAs(standing), ...line } : line;
  });
}

function isOf({ type, description, item_code }: DocumentLine, line: LineOfRow['line']): boolean {
  const said = line['type'] ?? (line['unit_price'] === undefined ? type : 'item');
  return (
    description === line['description'] && type === said && item_code === (line['item_code'] ?? item_code)
  );
}

/** What callers would have sent for a line. */
function sentAs({
  id,
  type,
  item_code,
  quantity,
  unit,
  unit_price,
  tax_category,
  withholding,
}: DocumentLine) {
  return { id, type, item_code, quantity, unit, unit_price, tax_category, withholding };
}

/** Those of the fields that the document has nothing in. */
function blanksOf(before: DocumentRecord, fields: Read['fields']): Record<string, unknown> {
  const own = before as unknown as Record<string, unknown>;
  const entries = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'metadata') {
      const fresh = Object.entries(value as object).filter(([key]) => !Object.hasOwn(before.metadata, key));
      return fresh.length > 0 ? [[name, Object.fromEntries(fresh)]] : [];
    }
    return own[name] === null ? [[name, value]] : [];
  });
  return Object.fromEntries(entries);
}
