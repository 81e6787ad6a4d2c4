import { becomeCustomers } from '../../crm/companies/customer.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import type { Work } from '../../kernel/work.ts';
import { type KeptOutcome, overwritten } from '../../platform/imports/outcomes.ts';
import type { DocumentCompany } from '../documents/company.ts';
import type { DocumentContext } from '../documents/context.ts';
import { insertDocuments } from '../documents/insert.ts';
import { type DocumentKind, kinds } from '../documents/kinds.ts';
import type { DocumentLine } from '../documents/line.ts';
import type { DocumentRecord } from '../documents/record.ts';
import { writeDocument } from '../documents/write.ts';
import { type Counter, counterOf } from '../numbering/counter.ts';
import { holdAllNumbers, takeNumbers } from '../numbering/take.ts';

/** What a chunk makes and changes, in the order of the file. */
export type Composed = {
  made: readonly DocumentRecord[];
  changed: readonly { before: DocumentRecord; after: DocumentRecord }[];
};

/**
 * Writes what a chunk composed. Documents and companies are locked by now; the counters of numbers come last. Answers
 * what a revert has to know.
 */
export async function writeComposed(
  work: Work,
  kind: DocumentKind,
  { made, changed }: Composed,
  companies: ReadonlyMap<string, DocumentCompany>,
  context: DocumentContext,
): Promise<KeptOutcome[]> {
  // Who gave a number or key meanwhile is seen by the next try.
  work.repeatOn('invoicing_documents_number_once');
  work.repeatOn('invoicing_documents_external_id_once');
  if (kinds[kind].makes_customer) {
    const all = [...made, ...changed.map(({ after }) => after)].map(({ company_id }) => company_id);
    const fresh = [...new Set(all)].filter((id) => companies.get(id)?.customer_since === null);
    await becomeCustomers(work, fresh.sort());
  }
  const byHand = made.filter(({ number }) => number !== null);
  const renumbered = changed.filter(({ before, after }) => after.number !== before.number);
  const counters = countersOf(work, [...byHand, ...renumbered.map(({ after }) => after)], context);
  if (counters.length > 0) await holdAllNumbers(work, counters);
  const outcomes = [];
  for (const { before, after } of changed) {
    const written = await writeDocument(work, before, after);
    outcomes.push(outcomeOf(before, written));
  }
  insertDocuments(work, byHand, context);
  // Counting passes over the numbers that stand in the table.
  await work.flush();
  const others = made.filter(({ number }) => number === null);
  insertDocuments(work, await numbered(work, kind, others, context), context);
  await work.flush();
  const created = made.map(({ id, updated_at }): KeptOutcome => {
    return { key: id, outcome: 'created', before: null, changed_at: updated_at };
  });
  return [...created, ...outcomes];
}

/** The same documents, with numbers where their kind has them from their making. */
async function numbered(
  work: Work,
  kind: DocumentKind,
  records: readonly DocumentRecord[],
  context: DocumentContext,
): Promise<readonly DocumentRecord[]> {
  if (context.settings.numbering[kind].assign_on !== 'create') return records;
  const numbers = new Map<string, string[]>();
  for (const counter of countersOf(work, records, context)) {
    const key = JSON.stringify(counter);
    const own = records.filter((record) => keyOf(work, record, context) === key);
    numbers.set(key, await takeNumbers(work, counter, own.length));
  }
  return records.map((record) => ({
    ...record,
    number: numbers.get(keyOf(work, record, context))!.shift()!,
  }));
}

function keyOf(work: Work, { kind, issue_date }: DocumentRecord, { settings }: DocumentContext): string {
  return JSON.stringify(counterOf(work.organization_id, kind, issue_date, settings));
}

/** The counters of these documents, each once, in the order in which they are locked. */
function countersOf(work: Work, records: readonly DocumentRecord[], context: DocumentContext): Counter[] {
  const keys = new Set(records.map((record) => keyOf(work, record, context)));
  return [...keys].sort().map((key) => JSON.parse(key) as Counter);
}

/** The fields of a draft that an import may overwrite. */
const OVERWRITTEN = [
  'number',
  'company_id',
  'contact_id',
  'honorific',
  'subject',
  'issue_date',
  'transaction_date',
  'transaction_from',
  'transaction_to',
  'due_date',
  'issuer_name',
  'issuer_detail',
  'memo',
  'internal_memo',
  'delivery_date',
  'delivery_place',
  'payment_terms_text',
  'show_prices',
  'tax_display_mode',
  'tax_rounding',
  'withholding_mode',
  'metadata',
] as const;

/** What was changed of a draft, with its values from before; lines are kept as a change sends them. */
function outcomeOf(before: DocumentRecord, after: DocumentRecord): KeptOutcome {
  if (after === before) return { key: before.id, outcome: 'unchanged', before: null, changed_at: null };
  const changes = OVERWRITTEN.flatMap((name): [string, [unknown, unknown]][] =>
    isSameJson(before[name], after[name]) ? [] : [[name, [before[name], after[name]]]],
  );
  if (!isSameJson(before.lines, after.lines))
    changes.push(['line_items', [before.lines.map(sentLine), after.lines.map(sentLine)]]);
  return {
    key: before.id,
    outcome: 'updated',
    before: overwritten(null, Object.fromEntries(changes)),
    changed_at: after.updated_at,
  };
}

function sentLine(line: DocumentLine): Record<string, unknown> {
  const { type, description, item_code, quantity, unit, unit_price, tax_category, withholding } = line;
  return { type, description, item_code, quantity, unit, unit_price, tax_category, withholding };
}
