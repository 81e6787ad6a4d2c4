import { companiesInFiles } from '../../crm/companies/in-files.ts';
import { Failure } from '../../kernel/failure.ts';
import { idSeries } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import { cellError } from '../../platform/imports/cell-errors.ts';
import {
  type CellError,
  type ImportRow,
  type ImportRun,
  type ImportSession,
  type Merged,
  noCounts,
  type OutcomeCounts,
} from '../../platform/imports/domain.ts';
import { type KeptOutcome, keepOutcomes, outcomesOf } from '../../platform/imports/outcomes.ts';
import { documentCompanies } from '../documents/company.ts';
import { contextOf } from '../documents/context.ts';
import { kinds, type WrittenKind } from '../documents/kinds.ts';
import type { DocumentRecord } from '../documents/record.ts';
import { type Composing, changedDocument, newDocument } from './compose.ts';
import { faultsOfFailure, faultsOfOthers } from './faults.ts';
import { type Known, knownOf } from './known.ts';
import type { DocumentImportOptions } from './options.ts';
import { companyOf, type Read, readDocument } from './read.ts';
import { documentReader } from './units.ts';
import { writeComposed } from './write.ts';

/** Rows of one transaction: a second or less, so that a pause takes effect soon. */
const CHUNK_ROWS = 1_000;

const TABLES = ['invoicing_documents', 'invoicing_lines', 'crm_companies', 'import_outcomes'];

/** Takes documents of several rows each; a faulty one goes whole to the report of errors. */
export async function documentSession(
  kind: WrittenKind,
  run: ImportRun<DocumentImportOptions>,
): Promise<ImportSession> {
  return {
    chunk_rows: CHUNK_ROWS,
    units: documentReader,
    merge: (work, _, rows) => mergeDocuments(work, kind, run, rows),
    lookedUp: () => TABLES,
    filled: () => TABLES,
  };
}

type Outcome = 'created' | 'updated' | 'unchanged' | 'skipped';

/** A document of the file and what becomes of it; null where a fault keeps it out. */
type Decided = { read: Read; outcome: Outcome | null; before?: DocumentRecord; after?: DocumentRecord };

async function mergeDocuments(
  work: Work,
  kind: WrittenKind,
  run: ImportRun<DocumentImportOptions>,
  rows: readonly ImportRow[],
): Promise<Merged> {
  const read = [...Map.groupBy(rows, ({ unit }) => unit).values()].map(readDocument);
  const stand_above = await refuseRepeated(work, run.import_id, read);
  const known = await knownOf(work, kind, read);
  const find = await companiesInFiles(
    work,
    read.map(({ company }) => company),
  );
  const company_ids = read.map((one) => (one.is_faulty ? undefined : companyOf(one, find)));
  const context = await contextOf(work);
  const companies = await documentCompanies(
    work,
    company_ids.flatMap((id) => id ?? []),
  );
  const nextId = idSeries(kinds[kind].prefix, work.now);
  const composing: Composing = { kind, on_conflict: run.on_conflict, context, companies, nextId };
  const taken = new Map(known.numbers);
  const decided = read.map((one, place) =>
    decide(work, one, company_ids[place], { composing, known, taken }),
  );
  const outcomes: KeptOutcome[] = stand_above.map((key) => {
    return { key, outcome: 'skipped', before: null, changed_at: null };
  });
  if (!run.dry_run) {
    const made = decided.flatMap(({ outcome, after }) => (outcome === 'created' ? after! : []));
    const changed = decided.flatMap(({ outcome, before, after }) =>
      outcome === 'updated' ? [{ before: before!, after: after! }] : [],
    );
    outcomes.push(...(await writeComposed(work, kind, { made, changed }, companies, context)));
  }
  keepOutcomes(work, run.import_id, outcomes);
  await work.flush();
  await work.flushFacts();
  return tally(decided, outcomes);
}

/** What keeps the rows of one document together, as outcomes are kept by. */
const placeOf = ({ key }: Read) => `rows of ${key}`;

/**
 * Refuses documents of which the file has rows above already, apart from these: taking both would lose the lines of one.
 * Answers what those that come first are kept by.
 */
async function refuseRepeated(work: Work, import_id: string, read: readonly Read[]): Promise<string[]> {
  const keyed = read.filter(({ key }) => key !== '');
  const above = await outcomesOf(work, import_id, keyed.map(placeOf));
  const seen = new Set(above.keys());
  const first: string[] = [];
  for (const one of keyed) {
    const place = placeOf(one);
    if (!seen.has(place)) first.push(place);
    else
      one.faults.push(
        cellError(
          one.rows[0]!,
          'repeated_document',
          one.key.startsWith('external_id') ? 'external_id' : 'number',
          'Other rows above are of the same document: put all of its rows together',
        ),
      );
    seen.add(place);
  }
  return first;
}

type Deciding = { composing: Composing; known: Known; taken: Map<string, string> };

/** What becomes of a document of the file; what is wrong with it goes to its faults. */
function decide(
  work: Work,
  read: Read,
  company_id: string | undefined,
  { composing, known, taken }: Deciding,
): Decided {
  const { external_id, number, contact_id } = read.fields as Record<string, string | undefined>;
  const before = external_id === undefined ? undefined : known.documents.get(external_id);
  if (read.is_faulty || read.faults.length > 0) return { read, outcome: null };
  if (before && composing.on_conflict === 'skip') return { read, outcome: 'skipped' };
  if (contact_id !== undefined && !known.contacts.has(contact_id))
    read.faults.push(fault(read, 'contact_id', 'unknown_reference', `There is no contact ${contact_id}`));
  let after: DocumentRecord | null = null;
  try {
    after = before
      ? changedDocument(work, read, company_id, before, composing)
      : newDocument(work, read, company_id, composing);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    read.faults.push(...faultsOfFailure(read, error));
  }
  const holder = number === undefined ? undefined : taken.get(number);
  if (after?.number && holder !== undefined && holder !== before?.id && after.number !== before?.number)
    read.faults.push(fault(read, 'number', 'already_exists', `Another document has the number ${number}`));
  if (read.faults.length > 0 || after === null) return { read, outcome: null };
  if (number !== undefined) taken.set(number, after.id);
  if (!before) return { read, outcome: 'created', after };
  return { read, outcome: 'updated', before, after };
}

function fault(read: Read, column: string, code: string, detail: string): CellError {
  const row = read.rows.find(({ values }) => values[column] !== undefined) ?? read.rows[0]!;
  return cellError(row, code, column, detail);
}

/** Counts rows by what became of their documents, and tells the rows of those that were refused. */
function tally(decided: readonly Decided[], outcomes: readonly KeptOutcome[]): Merged {
  const counts: OutcomeCounts = noCounts();
  const faults: CellError[] = [];
  const unchanged = new Set(outcomes.flatMap(({ key, outcome }) => (outcome === 'unchanged' ? key : [])));
  for (const { read, outcome, after } of decided) {
    const { rows } = read;
    if (outcome !== null) {
      counts[after && unchanged.has(after.id) ? 'unchanged' : outcome] += rows.length;
      continue;
    }
    const known = rows.filter(({ faulty_fields }) => faulty_fields).map(({ row }) => row);
    // The engine has counted and told the rows whose cells have faults.
    counts.error += rows.length - known.length;
    const faulty = new Set([...known, ...read.faults.map(({ row }) => row)]);
    faults.push(...read.faults.filter(({ row }) => !known.includes(row)), ...faultsOfOthers(rows, faulty));
  }
  return { counts, faults, records: decided.filter(({ outcome }) => outcome === 'created').length };
}
