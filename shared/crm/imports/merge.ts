import { Work } from '../../kernel/work.ts';
import {
  type CellError,
  type ImportRow,
  type Merged,
  noCounts,
  type Outcome,
} from '../../platform/imports/domain.ts';
import type { OnConflict } from '../../platform/imports/options.ts';
import { sendAhead } from './ahead.ts';
import { ALONG_THE_WAY, type Journal, keyOfRow, openJournal } from './journal.ts';
import type { Records, Tracked } from './records.ts';
import { type Fault, type GoodRow, isFault, type Values } from './row.ts';

export type MergeRun = {
  import_id: string;
  on_conflict: OnConflict;
  /** The column that a row finds its record by. */
  match_by: string;
  dry_run: boolean;
  /** The field of the record that each column writes. */
  targets: ReadonlyMap<string, string>;
};

/** Finds and locks the records of a chunk. */
export type OpenRecords = (work: Work, rows: readonly ImportRow[]) => Promise<Records>;

/** Rows of a chunk that are written while the next are taken, and after how many the process looks at the socket. */
const [WRITTEN_TOGETHER, TURN] = [100, 10];

/**
 * Takes the rows of a chunk one at a time, as calls of the API would, against records read at once. What came of some of them
 * is written while the next are taken. A dry run does the same with a work that is never sent.
 */
export async function mergeRows(
  work: Work,
  run: MergeRun,
  rows: readonly ImportRow[],
  open: OpenRecords,
): Promise<Merged> {
  await lockImports(work);
  const scene = run.dry_run ? new Work(work) : work;
  const records = await open(scene, rows);
  const journal = await openJournal(work, run.import_id, journalKeys(run, records, rows));
  const counts = noCounts();
  const faults: CellError[] = [];
  const ahead = sendAhead(work);
  const write = () => {
    if (run.dry_run) return;
    records.write();
    journal.write(work);
    ahead.send();
  };
  for (const [taken, { row, cells, values, faulty_fields }] of rows.entries()) {
    if (taken > 0 && taken % WRITTEN_TOGETHER === 0) write();
    if (taken % TURN === 0) await ahead.turn();
    const result = faulty_fields
      ? judgeRow(run, records, values, faulty_fields)
      : takeRow(run, records, journal, { row, values });
    if (typeof result === 'string') {
      counts[result] += 1;
      continue;
    }
    if (!faulty_fields) counts.error += 1;
    for (const { field, code, message } of result) faults.push({ row, cells, code, column: field, message });
  }
  for (const { id, updated_at } of records.made()) {
    const key = `${ALONG_THE_WAY}${id}`;
    journal.add({ key, outcome: 'created', before: null, changed_at: updated_at });
  }
  if (run.dry_run) journal.write(work);
  write();
  await ahead.done();
  return { counts, faults };
}

/** Takes one row; answers its outcome, or what is wrong with it. */
function takeRow(
  run: MergeRun,
  records: Records,
  journal: Journal,
  { row, values }: GoodRow,
): Outcome | Fault[] {
  const found = records.match(values);
  if (isFault(found)) return [found];
  const name = records.name(values);
  if (!found) return makeRecord(run, records, journal, { row, values });
  // A key that a merged record left names that one, which may have been called otherwise.
  const isOwn = !records.isByAlias(found, values);
  const other_row = isOwn && name !== null ? journal.otherName(found.id, name) : null;
  if (other_row !== null) return [repeated(run, values, other_row)];
  const outcome = changeRecord(run, records, journal, found, values);
  if (isOwn && name !== null && typeof outcome === 'string') journal.name(found.id, row, name);
  return outcome;
}

function changeRecord(
  run: MergeRun,
  records: Records,
  journal: Journal,
  found: Tracked,
  values: Values,
): Outcome | Fault[] {
  const isRepeated = journal.has(found.id);
  const add = (outcome: 'skipped' | 'updated' | 'unchanged'): Outcome => {
    if (isRepeated) return 'duplicate';
    journal.add({ key: found.id, outcome, before: null, changed_at: null });
    return outcome;
  };
  if (run.on_conflict === 'skip') return add('skipped');
  const said = fillsBlanks(run, records, found, values) ? blanksOnly(run, records, found, values) : values;
  const before = { ...found };
  const changed = records.change(found, said);
  if (Array.isArray(changed)) return changed;
  const outcome = add(changed ? 'updated' : 'unchanged');
  if (changed) journal.change(found.id, records.kept(before), records.kept(found), found.updated_at);
  return outcome;
}

/** A row above has the key of this one with another name: one of the two is wrong, and would overwrite the other. */
function repeated({ match_by }: MergeRun, values: Values, row: number): Fault {
  const field = values[match_by] === undefined ? 'id' : match_by;
  const message = {
    en: `Row ${row} has the same ${field} with another name: correct the key or the name of one of the two`,
    ja: `${row}行目に同じコードで別の名前の行があります。どちらかのコードか名前を直してください`,
  };
  return { field, code: 'repeated_key', message };
}

/** What cannot be known of a record that is not found yet: whether it must have a value, or has it already. */
const OF_THE_RECORD: ReadonlySet<string> = new Set(['required', 'already_exists']);

/** What else is wrong with a row whose cells have faults; what may only follow from those is left out. */
function judgeRow(
  run: MergeRun,
  records: Records,
  values: Values,
  faulty_fields: readonly string[],
): Fault[] {
  const found = records.match(values);
  if (isFault(found)) return [found];
  if (found && run.on_conflict === 'skip') return [];
  const said =
    found && fillsBlanks(run, records, found, values) ? blanksOnly(run, records, found, values) : values;
  const isUnknown = found === null && faulty_fields.includes(run.match_by);
  const target = (name: string) => run.targets.get(name) ?? name;
  const faulty_targets = new Set(faulty_fields.map(target));
  return records.faults(found, said).filter(({ field, code }) => {
    if (isUnknown && OF_THE_RECORD.has(code)) return false;
    if (field === null) return true;
    const leans_on = records.leans_on[field] ?? [];
    return !faulty_targets.has(target(field)) && !leans_on.some((name) => faulty_fields.includes(name));
  });
}

function makeRecord(
  run: MergeRun,
  records: Records,
  journal: Journal,
  { row, values }: GoodRow,
): Outcome | Fault[] {
  const key = records.key(values);
  const name = records.name(values);
  const dry_key = run.dry_run && key !== null ? keyOfRow(key) : null;
  if (dry_key !== null && journal.has(dry_key)) {
    const other_row = name === null ? null : journal.otherName(dry_key, name);
    if (other_row !== null) return [repeated(run, values, other_row)];
    if (name !== null) journal.name(dry_key, row, name);
    return 'duplicate';
  }
  const made = records.create(values);
  if (Array.isArray(made)) return made;
  const outcome = { outcome: 'created', before: null, changed_at: made.updated_at } as const;
  for (const each of dry_key === null ? [made.id] : [made.id, dry_key]) {
    journal.add({ key: each, ...outcome });
    if (name !== null) journal.name(each, row, name);
  }
  return 'created';
}

/** A row that is about a merged record says nothing against the one that stayed: it fills what is blank there. */
function fillsBlanks(run: MergeRun, records: Records, record: Tracked, values: Values): boolean {
  return run.on_conflict === 'fill_blank' || records.isByAlias(record, values);
}

/** The cells for what is blank in the record. */
function blanksOnly(run: MergeRun, records: Records, record: Tracked, values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => value !== undefined && records.isBlank(record, run.targets.get(name) ?? name),
    ),
  );
}

/**
 * One chunk of one import, or batch of a revert, at a time in an organization: two chunks that name the same new records
 * would otherwise wait for each other crosswise, and both make the company that both lack; and a revert would remove what
 * a chunk is just meeting.
 */
export async function lockImports(work: Work): Promise<void> {
  await work.connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `crm imports ${work.organization_id}`,
  ]);
}

/** In a dry run records that would have been made are known by their rows alone. */
function journalKeys(run: MergeRun, records: Records, rows: readonly ImportRow[]): string[] {
  const ids = records.found().map(({ id }) => id);
  if (!run.dry_run) return ids;
  const keys = new Set(rows.flatMap(({ values }) => records.key(values) ?? []));
  return [...ids, ...[...keys].map(keyOfRow)];
}
